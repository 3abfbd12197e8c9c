import type { TokenReader } from './token-reader.ts'

/** Parses one or more items that are separated by commas. */
export function parseList<T>(reader: TokenReader, parseOne: (reader: TokenReader) => T): readonly T[] {
  const list = [parseOne(reader)]
  while (reader.takeSign(',')) list.push(parseOne(reader))
  return list
}
