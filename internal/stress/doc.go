// Package stress runs a store the hard way and checks each answer. A run is a series of rounds. In each, a worker
// process opens the store under settings drawn at random; several writers write to it and read what they wrote, each
// among keys of its own, while something flushes, compacts, changes and rebuilds filters and verifies beside them. A
// round ends by kill -9, by a clean Close, or after file operations began to fail. Then the process that started the
// worker opens the store and compares all of it with what must be there.
//
// Write number i of a writer is the same in every process: it follows from the seed of the run, the writer and i.
// Besides its keys it sets the writer's marker, to i and to how many writes of each other writer had returned before it
// began. So a store says which writes it holds, and whether they are a prefix of the order in which they were made:
//
//   - no write that was told to be durable is missing;
//   - each writer's keys are what its writes up to its marker made them, so batches are whole;
//   - what had returned before a write that is there began is there, too.
//
// It stands above db, and of the rest of the store it knows bloom's policies and the file system that fails on demand.
package stress
