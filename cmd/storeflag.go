package cmd

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"siftdb/db"
)

// dirVariable is the environment variable that names the store where --db does not.
const dirVariable = "SIFTDB_DIR"

// storeFlag says which store a command works on.
type storeFlag struct{ dir string }

// add gives c the flag --db.
func (s *storeFlag) add(c *cobra.Command) {
	c.Flags().StringVarP(&s.dir, "db", "d", "", "the store's `directory` (default $"+dirVariable+")")
	// The only error is a flag that is not there.
	_ = c.MarkFlagDirname("db")
}

// name is the store's directory.
func (s *storeFlag) name(c *cobra.Command) (string, error) {
	if s.dir != "" {
		return s.dir, nil
	}
	if dir := os.Getenv(dirVariable); dir != "" {
		return dir, nil
	}
	return "", usageError(c, "which store? Give --db or set "+dirVariable)
}

// look calls fn with the store opened for reading only, and closes it.
func (s *storeFlag) look(c *cobra.Command, fn func(store *db.DB) error) error {
	return s.with(c, db.Options{ReadOnly: true}, fn)
}

// change calls fn with the store, which must be there, opened for writing, and closes it.
func (s *storeFlag) change(c *cobra.Command, o db.Options, fn func(store *db.DB) error) error {
	o.MustExist = true
	return s.with(c, o, fn)
}

// make calls fn with the store opened for writing, and closes it. A store that is not there is made, and that is
// told: it may be a typing error.
func (s *storeFlag) make(c *cobra.Command, o db.Options, fn func(store *db.DB) error) error {
	err := s.change(c, o, fn)
	if !errors.Is(err, db.ErrNoStore) {
		return err
	}
	dir, err := s.name(c)
	if err != nil {
		return err
	}
	return s.with(c, o, func(store *db.DB) error {
		note(c, "made a new store in %s", dir)
		return fn(store)
	})
}

func (s *storeFlag) with(c *cobra.Command, o db.Options, fn func(store *db.DB) error) error {
	dir, err := s.name(c)
	if err != nil {
		return err
	}
	o.Logger = warnings(c)
	store, err := db.Open(dir, &o)
	if err != nil {
		return openingStep(c, dir, &o, err)
	}
	err = readingStep(c, dir, fn(store))
	if closed := store.Close(); err == nil {
		err = closed
	}
	return err
}
