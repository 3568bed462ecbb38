// Where the databases of a test run are: in memory where the machine has room for them, since a
// database that is made, copied and removed hundreds of times costs mostly what its files cost.
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const sharedMemory = '/dev/shm'
// A run needs less than one; containers often have only 64 MB.
const bytesNeeded = 4 * 1024 ** 3

export function memoryDirectory(): string {
  if (!existsSync(sharedMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(sharedMemory)
  return bavail * bsize >= bytesNeeded ? sharedMemory : tmpdir()
}
