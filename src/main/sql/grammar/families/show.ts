import { parseTableName, printTableName } from '../names.ts'
import type {
  ShowColumns,
  ShowCrawlers,
  ShowCreateTable,
  ShowExtensions,
  ShowFunctions,
  ShowSecrets,
  ShowTables,
} from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { printText } from '../texts.ts'
import { parseShowExtensions } from './extensions.ts'

export type Show = ShowTables | ShowColumns | ShowFunctions | ShowCreateTable | ShowSecrets | ShowCrawlers

/** Parses what follows SHOW. */
export function parseShow(reader: StatementReader): Show | ShowExtensions {
  if (reader.takeWords('TABLES')) return Object.freeze({ kind: 'show_tables' })
  if (reader.takeWords('CRAWLERS')) return Object.freeze({ kind: 'show_crawlers' })
  if (reader.takeWords('COLUMNS')) return parseShowColumns(reader)
  if (reader.takeWords('FUNCTIONS')) {
    const pattern = reader.takeWords('LIKE') ? reader.expectText('a pattern in single quotes') : null
    return Object.freeze({ kind: 'show_functions', pattern })
  }
  if (reader.takeWords('SECRETS')) return Object.freeze({ kind: 'show_secrets' })
  if (reader.takeWords('EXTENSIONS') || reader.takeWords('EXTENSION')) return parseShowExtensions(reader)
  reader.expectWords('CREATE', 'TABLE')
  return Object.freeze({ kind: 'show_create_table', name: parseTableName(reader) })
}

export function printShow(node: Show): string {
  switch (node.kind) {
    case 'show_tables':
      return 'SHOW TABLES'
    case 'show_crawlers':
      return 'SHOW CRAWLERS'
    case 'show_columns':
      return `SHOW COLUMNS FROM ${printTableName(node.name)}`
    case 'show_functions':
      return node.pattern === null ? 'SHOW FUNCTIONS' : `SHOW FUNCTIONS LIKE ${printText(node.pattern)}`
    case 'show_secrets':
      return 'SHOW SECRETS'
    case 'show_create_table':
      return `SHOW CREATE TABLE ${printTableName(node.name)}`
  }
}

function parseShowColumns(reader: StatementReader): ShowColumns {
  if (!reader.takeWords('FROM')) reader.expectWords('IN')
  return Object.freeze({ kind: 'show_columns', name: parseTableName(reader) })
}
