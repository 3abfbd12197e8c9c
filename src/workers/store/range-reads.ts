import { readSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import type { ByteSource } from './byte-source.ts'
import { discard } from './discard.ts'
import { attempt } from './planned.ts'
import type { Stopwatch } from './stopwatch.ts'

/** The most bytes of one call of `read(2)`. Linux returns at most 0x7ffff000. */
const MAX_READ = 1 << 30

/**
 * The reads of a file of `size` bytes that users know as `path`. `open` runs its argument with a descriptor of the file.
 * Reads throw what `open` throws, `unreadable_file` for a range outside of the file, and `file_changed` if it has become
 * shorter.
 */
export function rangeReads(
  path: string,
  size: number,
  stopwatch: Stopwatch,
  open: (work: (descriptor: number) => void) => void,
): Pick<ByteSource, 'read' | 'readInto' | 'release'> {
  const check = (offset: number, length: number): void => {
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0)
      throw new RangeError(`no range of a file: ${offset}, ${length}`)
    if (length > size - offset)
      throw new ServiceError(
        'unreadable_file',
        `"${path}" is damaged: it refers to ${length} bytes at ${offset} but has ${size} bytes.`,
      )
  }
  const fill = (offset: number, target: Uint8Array): void => {
    const { length } = target
    open((descriptor) => {
      for (let done = 0; done < length; ) {
        const step = Math.min(MAX_READ, length - done)
        const got = attempt(path, () => readSync(descriptor, target, done, step, offset + done))
        if (got === 0)
          throw new ServiceError(
            'file_changed',
            `"${path}" became shorter while it was being read; ask again.`,
          )
        done += got
      }
    })
    stopwatch.addBytesRead(length)
  }
  return {
    read(offset, length) {
      check(offset, length)
      return stopwatch.time('read', () => {
        // Memory that is not zeroed first. A Uint8Array, because views of a Buffer are expensive.
        const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
        fill(offset, bytes)
        return bytes
      })
    },
    readInto(offset, target) {
      check(offset, target.length)
      stopwatch.time('read', () => fill(offset, target))
    },
    release: discard,
  }
}
