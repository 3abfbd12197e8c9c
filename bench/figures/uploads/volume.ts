import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The volume of a folder, as `ext4 on /dev/sda1`. */
export async function volumeOf(folder: string): Promise<string> {
  const { stdout } = await run('df', ['--output=fstype,source', folder])
  const [type, source] = stdout.trim().split('\n').at(-1)?.split(/\s+/) ?? []
  return `${type} on ${source}`
}

/** Copies a file by `cp`, byte by byte, and waits until the copy is on the disk. */
export async function copyAndSync(from: string, to: string): Promise<void> {
  await run('sh', ['-c', 'cp --reflink=never "$0" "$1" && sync "$1"', from, to])
}

/** Waits until nothing is left to be written, so that one turn does not pay for the last. */
export async function syncAll(): Promise<void> {
  await run('sync')
}

/** Throws if two files differ. */
export async function compareFiles(one: string, other: string): Promise<void> {
  await run('cmp', [one, other])
}

/** Writes a file of random bytes, which no file system stores smaller. */
export function writeRandom(path: string, bytes: number): void {
  const block = randomFillSync(Buffer.allocUnsafe(1 << 20))
  const descriptor = openSync(path, 'w')
  try {
    for (let at = 0, number = 0; at < bytes; at += block.length, number++) {
      block.writeUInt32LE(number)
      writeSync(descriptor, block, 0, Math.min(block.length, bytes - at))
    }
  } finally {
    closeSync(descriptor)
  }
}
