package main

func (u usage) minus(earlier usage) usage {
	return usage{
		cpu:           u.cpu - earlier.cpu,
		readCalls:     u.readCalls - earlier.readCalls,
		readBytes:     u.readBytes - earlier.readBytes,
		diskReadBytes: u.diskReadBytes - earlier.diskReadBytes,
		writtenBytes:  u.writtenBytes - earlier.writtenBytes,
	}
}
