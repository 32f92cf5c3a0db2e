package rows

// Row is one phase of one store in one repetition.
type Row struct {
	Store      string `json:"store"`
	Phase      string `json:"phase"`
	Repetition int    `json:"rep"`
	Threads    int    `json:"threads"`

	// What was other than in the header, in measurements of growth: an axis such as "value size", and where on it.
	Axis string `json:"axis,omitempty"`
	At   int    `json:"at,omitempty"`

	Ops     int64   `json:"ops"`
	Seconds float64 `json:"s"`

	// ns, of a sample of the operations
	P50  int64 `json:"p50,omitempty"`
	P99  int64 `json:"p99,omitempty"`
	P999 int64 `json:"p999,omitempty"`

	CPUSeconds float64 `json:"cpu,omitempty"`    // of all threads of the process, compactions included
	Allocs     float64 `json:"allocs,omitempty"` // an operation
	AllocBytes float64 `json:"allocB,omitempty"` // an operation
	Resident   int64   `json:"rss,omitempty"`    // bytes at the end of the phase
	Peak       int64   `json:"peak,omitempty"`   // bytes resident at most during the phase

	ReadCalls     int64 `json:"reads,omitempty"`  // that reached the system; reads of a mapped file do not
	DiskReadBytes int64 `json:"diskB,omitempty"`  // that came from the disk, through mapped files, too
	WrittenBytes  int64 `json:"wroteB,omitempty"` // handed to the system in calls; writes to a mapped file are not
	DirtiedBytes  int64 `json:"dirtyB,omitempty"` // of pages of files that became due to be written, mapped ones, too
	GivenBytes    int64 `json:"givenB,omitempty"` // of keys and values that the store was told to write
	StoreBytes    int64 `json:"storeB,omitempty"` // of its files at the end, where that is what the phase is about
}

// PerSecond is the operations a second.
func (r Row) PerSecond() float64 { return float64(r.Ops) / r.Seconds }

// Micros is the µs from one operation to the next, those of all goroutines counted.
func (r Row) Micros() float64 { return r.Seconds * 1e6 / r.ops() }

// CPUMicros is the µs of processor an operation took, background work included.
func (r Row) CPUMicros() float64 { return r.CPUSeconds * 1e6 / r.ops() }

// ReadsPerOp is the read calls an operation.
func (r Row) ReadsPerOp() float64 { return float64(r.ReadCalls) / r.ops() }

// DiskBytesPerOp is the bytes from the disk an operation.
func (r Row) DiskBytesPerOp() float64 { return float64(r.DiskReadBytes) / r.ops() }

func (r Row) ops() float64 { return float64(max(1, r.Ops)) }
