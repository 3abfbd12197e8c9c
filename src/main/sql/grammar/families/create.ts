import type { IfExists } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'

/** Parses what CREATE does if there is something of that name. `isReplacing`: the statement has said OR REPLACE before. */
export function parseIfExists(reader: StatementReader, isReplacing: boolean): IfExists {
  const token = reader.peek()
  if (!reader.takeWords('IF', 'NOT', 'EXISTS')) return isReplacing ? 'replace' : 'fail'
  if (isReplacing) reader.reject(token, 'a statement has OR REPLACE or IF NOT EXISTS, not both')
  return 'keep'
}

/** The beginning of a CREATE of this kind of thing, before its name. */
export function printCreate(thing: string, ifExists: IfExists): string {
  switch (ifExists) {
    case 'fail':
      return `CREATE ${thing}`
    case 'replace':
      return `CREATE OR REPLACE ${thing}`
    case 'keep':
      return `CREATE ${thing} IF NOT EXISTS`
  }
}
