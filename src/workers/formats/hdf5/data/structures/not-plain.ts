/** Thrown for a structure that is left to the HDF5 library: it may be sound, but is not read here. */
class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

export function notPlain(what: string): Error {
  return new NotPlain(what)
}

export function isNotPlain(error: unknown): boolean {
  return error instanceof NotPlain
}
