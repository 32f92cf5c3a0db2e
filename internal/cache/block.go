package cache

// Form says what the bytes of a block are.
type Form uint8

const (
	// Plain bytes are the content of a block that is stored uncompressed.
	Plain Form = iota
	// Packed bytes are compressed, as they are in the file.
	Packed
	// Unpacked bytes are the content of a block that is stored compressed.
	Unpacked
)

// Block is a block as it is held: its bytes and what they are.
type Block struct {
	Bytes []byte
	Form  Form
	// Hot says of a packed block that its content is worth its memory: who has uncompressed it should give it to
	// Cache.Unpack.
	Hot bool

	held *entry // to be let go by Release; nil: nothing is
}

// Release says that the bytes of a packed block that Get or Peek returned are not looked at any more. For other blocks
// it does nothing.
func (b Block) Release() {
	if b.held != nil {
		b.held.unpin()
	}
}
