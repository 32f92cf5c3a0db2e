package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
)

// How much is sampled: enough to find what is contended, and little enough to leave times as they are.
const (
	blockEvery = 10_000 // ns that goroutines wait, for each sample
	mutexEvery = 100    // contentions for each sample
)

// Profile has the program profiled from now until stop, which writes cpu.pprof, allocs.pprof, block.pprof and
// mutex.pprof into dir, as go tool pprof reads them. It makes dir if it is not there. allocs has all allocations since
// the program began, the others what happened meanwhile, but for block and mutex where an earlier profile went before.
// One profile at a time is made; another is an error.
func Profile(dir string) (stop func() error, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("siftdb: bench: %w", err)
	}
	cpu, err := os.Create(filepath.Join(dir, "cpu.pprof"))
	if err != nil {
		return nil, fmt.Errorf("siftdb: bench: %w", err)
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, fmt.Errorf("siftdb: bench: %w", errors.Join(err, cpu.Close()))
	}
	runtime.SetBlockProfileRate(blockEvery)
	mutexBefore := runtime.SetMutexProfileFraction(mutexEvery)
	return func() error {
		pprof.StopCPUProfile()
		errs := []error{cpu.Close()}
		for _, name := range []string{"allocs", "block", "mutex"} {
			errs = append(errs, writeProfile(dir, name))
		}
		runtime.SetBlockProfileRate(0)
		runtime.SetMutexProfileFraction(mutexBefore)
		if err := errors.Join(errs...); err != nil {
			return fmt.Errorf("siftdb: bench: %w", err)
		}
		return nil
	}, nil
}

func writeProfile(dir, name string) error {
	f, err := os.Create(filepath.Join(dir, name+".pprof"))
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup(name).WriteTo(f, 0), f.Close())
}
