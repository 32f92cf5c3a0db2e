// Package forecast computes what filters will cost and save in a store that is known by numbers alone: memory, bits and
// rate per level, reads per lookup. It serves plans for stores that fit no machine here, and the choice of filters for
// one that is there.
//
// It is pure: it opens no store, reads no file and draws no random number. It refuses to know keys, bytes and clocks.
// What filters are, and how memory is shared out among them, it asks of package bloom, the very code that a store runs.
// It stands on none of the store's walks; commands call it.
//
// # The model
//
// A store is [Part]s: tables of some level, each with its keys and with its misses, which are the lookups that come to
// it and do not find their key there. A [Layout] makes parts from numbers; a store's own tables and the lookups that
// were seen make others. A [Kind] says which filters they have, and bits per key what memory. Then, with f_i the misses
// of part i for one lookup and e_i its filter's rate:
//
//	wasted reads of a lookup      sum of f_i e_i
//	reads for an absent key       the same, with the misses of an absent key
//	reads for a present key       1 more, with the misses on the way to where it is
//
// each of them a read of one data block, without a block cache. The rates are those of bloom.Rate, bloom.BlockedRate
// and 2^-planes. Misses of an absent key are 1 for each table of level 0, and for each level below it the share of the
// range of keys that its tables span: the key lies in the range of one table there, if of any (Dayan, Athanassoulis and
// Idreos, Monkey, 2017, section 4, where levels span all of it). A present key misses in all that is younger than where
// it is. Tests hold the model to stores that were filled and asked.
package forecast
