import { ServiceError } from '../../../plan/errors.ts'
import { writeError } from '../../../plan/output/write-error.ts'
import { readAt, writeAt } from '../descriptor-io.ts'

/** A temporary file in which bytes are set aside. */
export interface Spool {
  /** The bytes that were appended. */
  readonly bytes: number
  /** Appends bytes and returns where they begin. Throws `disk_full` and `output_failed`. */
  append(bytes: Uint8Array): number
  /** Reads bytes that were appended, as many as the target has. Throws `output_failed`. */
  read(position: number, target: Uint8Array): void
}

/** An empty spool in the file of a descriptor, which stays open as long as the spool is used. */
export function createSpool(descriptor: number): Spool {
  let size = 0
  return {
    get bytes() {
      return size
    },
    append(bytes) {
      const position = size
      try {
        writeAt(descriptor, bytes, position)
      } catch (cause) {
        throw writeError(cause)
      }
      size += bytes.length
      return position
    },
    read(position, target) {
      let done = 0
      try {
        done = readAt(descriptor, target, position)
      } catch (cause) {
        throw writeError(cause)
      }
      if (done < target.length)
        throw new ServiceError(
          'output_failed',
          'A temporary file of the result is shorter than it was written.',
        )
    },
  }
}
