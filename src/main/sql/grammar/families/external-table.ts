import { printIdentifier } from '../../text/keywords.ts'
import { parseList } from '../../text/parse-list.ts'
import { parseTableName, printTableName } from '../names.ts'
import type { CreateExternalTable } from '../node.ts'
import type { ParsedStatement } from '../query-text.ts'
import { type StatementReader, takeOneOf } from '../statement-reader.ts'
import { printText } from '../texts.ts'
import { parseIfExists, printCreate } from './create.ts'
import { parseColumns, parsePartitions, printColumns, printPartitions } from './declared-columns.ts'
import { parseOptions, printOptions, tableOptions } from './options.ts'

/** Parses what follows `CREATE [OR REPLACE] EXTERNAL TABLE`. */
export function parseExternalTable(
  { reader, onHidden }: ParsedStatement,
  isReplacing: boolean,
): CreateExternalTable {
  const ifExists = parseIfExists(reader, isReplacing)
  const name = parseTableName(reader)
  const columns = reader.takeSign('(') ? parseColumns(reader) : null
  const clauses = parseClauses(reader, onHidden)
  return Object.freeze({ kind: 'create_external_table', name, ifExists, columns, ...clauses })
}

export function printExternalTable(node: CreateExternalTable): string {
  const { columns, format, partitions, order, location, options } = node
  return [
    `${printCreate('EXTERNAL TABLE', node.ifExists)} ${printTableName(node.name)}`,
    columns === null ? '' : printColumns(columns),
    `STORED AS ${format}`,
    partitions.length === 0 ? '' : `PARTITIONED BY ${printPartitions(partitions)}`,
    order.length === 0 ? '' : `WITH ORDER (${order.join(', ')})`,
    `LOCATION ${printText(location)}`,
    options.length === 0 ? '' : `OPTIONS ${printOptions(options)}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

type Clauses = Pick<CreateExternalTable, 'format' | 'partitions' | 'order' | 'location' | 'options'>

/** Parses the clauses, in any order and each at most once. STORED AS and LOCATION must be among them. */
function parseClauses(reader: StatementReader, onHidden: ParsedStatement['onHidden']): Clauses {
  let format: string | null = null
  let location: string | null = null
  let partitions: Clauses['partitions'] | null = null
  let order: Clauses['order'] | null = null
  let options: Clauses['options'] | null = null
  for (;;) {
    if (format === null && reader.takeWords('STORED', 'AS')) format = reader.expectWord('a format')
    else if (partitions === null && reader.takeWords('PARTITIONED', 'BY')) {
      reader.expectSign('(')
      partitions = parsePartitions(reader)
    } else if (order === null && reader.takeWords('WITH', 'ORDER')) order = parseOrder(reader)
    else if (location === null && reader.takeWords('LOCATION')) location = reader.expectText(PATH)
    else if (options === null && reader.takeWords('OPTIONS')) options = parseOptions(reader)
    else if (format === null || location === null) return reader.unexpected()
    else
      return {
        format,
        partitions: partitions ?? Object.freeze([]),
        order: order ?? Object.freeze([]),
        location,
        options: tableOptions(options ?? [], format, onHidden),
      }
  }
}

const PATH = 'a path in single quotes'

function parseOrder(reader: StatementReader): readonly string[] {
  reader.expectSign('(')
  const keys = parseList(reader, () => parseSortKey(reader))
  reader.expectSign(')')
  return Object.freeze(keys)
}

/** Parses `name [ASC | DESC] [NULLS FIRST | NULLS LAST]` and returns it as text. */
function parseSortKey(reader: StatementReader): string {
  const name = printIdentifier(reader.expectName('the name of a column'))
  const direction = takeOneOf(reader, ['ASC'], ['DESC'])
  return `${name}${direction}${takeOneOf(reader, ['NULLS', 'FIRST'], ['NULLS', 'LAST'])}`
}
