import { ServiceError } from '../errors.ts'

/** The error of a system call on a temporary file: `disk_full` when the disk or the user's quota is full, and `output_failed` otherwise. */
export function writeError(cause: unknown): ServiceError {
  const code = codeOf(cause)
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new ServiceError(
    isFull ? 'disk_full' : 'output_failed',
    isFull
      ? 'The disk of the temporary files is full; ask for fewer rows or columns, or leave `output` out for an Arrow stream, which needs no file.'
      : `The result could not be written to the temporary folder: ${code}.`,
    { cause },
  )
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
