import { parseTableName, printTableName } from '../names.ts'
import type { Refresh } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'

/** Parses what follows REFRESH. */
export function parseRefresh(reader: StatementReader): Refresh {
  reader.takeWords('TABLE')
  return Object.freeze({ kind: 'refresh', name: parseTableName(reader) })
}

export function printRefresh({ name }: Refresh): string {
  return `REFRESH TABLE ${printTableName(name)}`
}
