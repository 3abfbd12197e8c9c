import { readSync, writeSync } from 'node:fs'

/** Reads into all of `target` from a position on. Returns the bytes that were read: fewer at the end of the file. */
export function readAt(descriptor: number, target: Uint8Array, position: number): number {
  let done = 0
  while (done < target.length) {
    const read = readSync(descriptor, target, done, target.length - done, position + done)
    if (read === 0) break
    done += read
  }
  return done
}

/** Writes all bytes from a position on. */
export function writeAt(descriptor: number, bytes: Uint8Array, position: number): void {
  let done = 0
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done, position + done)
}
