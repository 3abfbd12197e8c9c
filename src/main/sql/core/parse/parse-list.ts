import type { TokenReader } from './token-reader.ts'

/** One and more, with commas between. */
export function parseList<T>(reader: TokenReader, parseOne: (reader: TokenReader) => T): readonly T[] {
  const list = [parseOne(reader)]
  while (reader.takeSign(',')) list.push(parseOne(reader))
  return list
}
