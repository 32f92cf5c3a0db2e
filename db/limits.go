package db

import "siftdb/internal/key"

// Limits on what a write may hold, in bytes.
const (
	MaxKeySize   = key.MaxUser // 64 KiB - 1
	MaxValueSize = 1 << 30     // 1 GiB
	MaxBatchSize = 1<<32 - 17  // what Batch.Size may reach: 4 GiB, less what the log adds
)

// checkOp checks the sizes of a key and its value.
func checkOp(keySize, valueSize int) error {
	if keySize > MaxKeySize {
		return &TooLargeError{What: "key", Size: int64(keySize), Limit: MaxKeySize}
	}
	if valueSize > MaxValueSize {
		return &TooLargeError{What: "value", Size: int64(valueSize), Limit: MaxValueSize}
	}
	return nil
}

func checkBatch(size int64) error {
	if size > MaxBatchSize {
		return &TooLargeError{What: "batch", Size: size, Limit: MaxBatchSize}
	}
	return nil
}
