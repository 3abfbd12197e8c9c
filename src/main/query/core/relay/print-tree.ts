import { foldSqlName, quoteSqlName, sqlNames } from '../../../../plan/statement/statement.ts'
import type { WrittenRemoteTable } from '../../../remotes/remote-table-name.ts'
import { printText } from '../../../sql/grammar/texts.ts'
import { decline } from '../../bind/declined.ts'
import type { Literal } from '../../bind/expressions/literal.ts'
import type {
  AggregateCall,
  Call,
  FirstsOfSelect,
  From,
  Item,
  OrderItem,
  Ordinal,
  RowNumber,
  Select,
  SqlExpression,
} from '../parse/ast.ts'
import { printLabel } from '../print/print-label.ts'
import { subqueryKey } from '../subqueries/expand-query.ts'
import type { OpenedQuery } from '../subqueries/open-query.ts'
import { printSource } from './print-source.ts'
import { INFIX, printWrittenCall } from './print-written-call.ts'

/** The name of the table of another service that a query reads, in that service. */
export type TableIn = (query: OpenedQuery) => WrittenRemoteTable

/** Stands for the source of a query until all names in it are printed. No text that is printed has it. */
const SOURCE = '\0'

/**
 * Prints a query in the SQL of a service of this version: with the names that its tables have there, the queries of views in brackets, the columns that
 * `*` stands for, and the names that its columns have here. Declines what has no form that is certain to be read alike. What is printed
 * may mean something else, as the alias of a column is another column: it has to be bound again.
 */
export function printTree(query: OpenedQuery, tableIn: TableIn): string {
  const [source, ...others] = query.opened
  if (source === undefined || others.length > 0) decline('it reads several tables')
  const columns = sqlNames(source.table.schema)
  const subqueries = new Map(query.subqueries.map((each) => [each.key, each]))
  /** Names of columns in it, in lower case. Some are names of others than those of the table. */
  const named = new Set<string>()
  const { text } = printQuery(query.select)
  const printed = printSource(tableIn(query), source.table.schema, { named, computed: named })
  return text.replaceAll(SOURCE, () => printed)

  function printQuery(select: Select): Printed {
    const { isDistinct, firsts, items, where, groupBy, having, orderBy, limit, offset } = select
    const from = printFrom(select.from)
    const list = items.flatMap((item) => printItem(item, from.names))
    const keys = groupBy?.kind === 'all' ? 'ALL' : groupBy?.values.map(printPlace).join(', ')
    const parts = [
      `SELECT ${isDistinct ? 'DISTINCT ' : ''}${printDistinctOn(firsts)}${list.map(({ text }) => text).join(', ')}`,
      ` FROM ${from.text}`,
      where === null ? '' : ` WHERE ${print(where)}`,
      keys === undefined ? '' : ` GROUP BY ${keys}`,
      having === null ? '' : ` HAVING ${print(having)}`,
      printQualify(firsts),
      orderBy.length === 0 ? '' : ` ORDER BY ${printOrder(orderBy)}`,
      limit === null ? '' : ` LIMIT ${limit}`,
      offset === 0 ? '' : ` OFFSET ${offset}`,
    ]
    return { text: parts.join(''), names: list.map(({ name }) => name) }
  }

  function printFrom(from: From): Printed {
    const alias = from.alias === null ? '' : ` AS ${printName(from.alias)}`
    if (from.kind === 'select') {
      const inner = printQuery(from.select)
      return { text: `(${inner.text})${alias}`, names: inner.names }
    }
    return { text: `${SOURCE}${alias}`, names: columns }
  }

  /** Columns of the list, with their names. Those of a star are named, so that it does not stand for others there. */
  function printItem(item: Item, names: readonly string[]): readonly PrintedColumn[] {
    if (item.kind === 'star') {
      const table = item.table === null ? '' : `${printName(item.table)}.`
      return names.map((name) => ({ text: `${table}${printColumn(name)}`, name }))
    }
    if (item.kind === 'row_number')
      return [{ text: `${printWindow(item.window)} AS ${printName(item.alias)}`, name: item.alias }]
    const { value, alias } = item
    const text = print(value)
    if (alias === null && value.kind === 'column') return [{ text, name: value.name }]
    const name = alias ?? printLabel(value)
    return [{ text: `${text} AS ${printName(name)}`, name }]
  }

  function printColumn(name: string): string {
    named.add(foldSqlName(name))
    return printName(name)
  }

  function printDistinctOn(firsts: FirstsOfSelect | undefined): string {
    return firsts?.kind === 'distinct_on' ? `DISTINCT ON (${firsts.on.map(printPlace).join(', ')}) ` : ''
  }

  function printQualify(firsts: FirstsOfSelect | undefined): string {
    if (firsts?.kind !== 'row_number' || firsts.most === null) return ''
    return ` QUALIFY ${printWindow(firsts.window)} <= ${firsts.most}`
  }

  function printWindow({ partitionBy, orderBy }: RowNumber): string {
    const keys = partitionBy.length === 0 ? [] : [`PARTITION BY ${partitionBy.map(print).join(', ')}`]
    const order = orderBy.length === 0 ? [] : [`ORDER BY ${printOrder(orderBy)}`]
    return `row_number() OVER (${[...keys, ...order].join(' ')})`
  }

  function printOrder(order: readonly OrderItem[]): string {
    return order
      .map(({ value, isDescending, areNullsFirst }) => {
        const direction = isDescending ? 'DESC' : 'ASC'
        return `${printPlace(value)} ${direction} NULLS ${areNullsFirst ? 'FIRST' : 'LAST'}`
      })
      .join(', ')
  }

  function printPlace(value: SqlExpression | Ordinal): string {
    return value.kind === 'ordinal' ? String(value.number) : print(value)
  }

  function print(expression: SqlExpression): string {
    switch (expression.kind) {
      case 'column': {
        const { table, name } = expression
        return table === null ? printColumn(name) : `${printName(table)}.${printColumn(name)}`
      }
      case 'literal':
        return printLiteral(expression)
      case 'aggregate':
        return printAggregate(expression)
      case 'call':
        return printCall(expression)
      case 'subquery': {
        const inner = subqueries.get(subqueryKey(expression)) ?? decline('a subquery of a view')
        return `(${printTree(inner, tableIn)})`
      }
      case 'within':
        return decline('st_within_point')
    }
  }

  function printAggregate(call: AggregateCall): string {
    const { name, aggregate, argument, rows, by, share, isDistinct, filter } = call
    const condition = filter === undefined ? '' : ` FILTER (WHERE ${print(filter)})`
    if (argument === null) return `count(${rows === '' ? '*' : rows})${condition}`
    const args = [argument, by, share?.literal].filter((each) => each !== undefined).map(print)
    const distinct = isDistinct || aggregate === 'count_distinct' ? 'DISTINCT ' : ''
    return `${name}(${distinct}${args.join(', ')})${condition}`
  }

  function printCall(call: Call): string {
    const { name, args, to } = call
    const printed = (args.length > 1 ? withoutBrackets(call) : args).map(print)
    const [first = '', second = ''] = printed
    if (name === 'extract') return `extract(${first} FROM ${second})`
    if (name === 'position') return `position(${second} IN ${first})`
    return printWrittenCall(name, printed, to?.name ?? '', SIGNS)
  }
}

interface Printed {
  readonly text: string
  /** The names of its columns. */
  readonly names: readonly string[]
}

interface PrintedColumn {
  readonly text: string
  readonly name: string
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ...INFIX,
  ...['^', '**', '^@', '~~', '!~~', '~~*', '!~~*'].map((sign) => [sign, sign] as const),
])

/** Signs of which several in a row are read from the left. Without brackets they are not nested deeper than they are written. */
const FROM_THE_LEFT: ReadonlySet<string> = new Set(['+', '-', '*', '||'])

function withoutBrackets({ name, args }: Call): readonly SqlExpression[] {
  const [first, ...others] = args
  const isSame = first?.kind === 'call' && first.name === name && first.args.length === 2
  return isSame && FROM_THE_LEFT.has(name) ? [...withoutBrackets(first), ...others] : args
}

function printName(name: string): string {
  return name === '' || name.includes('\0') ? decline('a name without a form') : quoteSqlName(name)
}

/** A constant in the form in which it is written, which decides its type. Times of the clock are those of here. */
function printLiteral({ form, text }: Literal): string {
  switch (form) {
    case 'integer':
    case 'decimal':
    case 'double':
      return text.startsWith('-') ? `(${text})` : text
    case 'null':
      return 'NULL'
    case 'boolean':
      return text.toUpperCase()
    case 'string':
      return printString(text)
    case 'instant':
      return `TIMESTAMPTZ ${printString(`${text}+00`)}`
    case 'date':
    case 'time':
    case 'timestamp':
    case 'interval':
      return `${form.toUpperCase()} ${printString(text)}`
  }
}

function printString(text: string): string {
  return text.includes('\0') ? decline('a text with a zero byte') : printText(text)
}
