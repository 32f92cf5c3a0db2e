package db

// Limits on what a write may hold, in bytes.
const (
	MaxKeySize   = 1<<16 - 1  // 64 KiB - 1
	MaxValueSize = 1 << 30    // 1 GiB
	MaxBatchSize = 1<<32 - 17 // what Batch.Size may reach: 4 GiB, less what the log adds
)

// checkOp checks the sizes of a key and its value.
func checkOp(key, value int) error {
	if key > MaxKeySize {
		return &TooLargeError{What: "key", Size: int64(key), Limit: MaxKeySize}
	}
	if value > MaxValueSize {
		return &TooLargeError{What: "value", Size: int64(value), Limit: MaxValueSize}
	}
	return nil
}

func checkBatch(size int64) error {
	if size > MaxBatchSize {
		return &TooLargeError{What: "batch", Size: size, Limit: MaxBatchSize}
	}
	return nil
}
