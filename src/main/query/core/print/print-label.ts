import { printIdentifier } from '../../../sql/text/keywords.ts'
import { decline } from '../../bind/declined.ts'
import type { Literal } from '../../bind/expressions/literal.ts'
import type { AggregateCall, Call, SqlExpression } from '../parse/ast.ts'
import { printForm } from './print-form.ts'
import { printSelect } from './print-select.ts'

/**
 * The name that DuckDB gives to a column of an answer without an alias: the expression as it prints it. Declines expressions of which that
 * is not certain.
 */
export function printLabel(written: SqlExpression): string {
  const expression = withoutNot(written)
  switch (expression.kind) {
    case 'column': {
      const { table, name } = expression
      return table === null ? printIdentifier(name) : `${printIdentifier(table)}.${printIdentifier(name)}`
    }
    case 'aggregate':
      return printAggregate(expression)
    case 'literal':
      return printLiteral(expression)
    case 'within':
      return decline('st_within_point without a name', expression.at)
    case 'subquery':
      return `(${printSelect(expression.select, printLabel)})`
    case 'call':
      return printCall(expression)
  }
}

/** The name of the column of an aggregate. */
export function printAggregate(call: AggregateCall): string {
  const { name, aggregate, argument, rows, by, share, isDistinct, filter } = call
  const condition = filter === undefined ? '' : ` FILTER (WHERE ${printLabel(filter)})`
  if (argument === null) return `${rows === '' ? 'count_star()' : `count(${rows})`}${condition}`
  const args = [argument, by, share?.literal].filter((each) => each !== undefined).map(printLabel)
  return `${name}(${isDistinct || aggregate === 'count_distinct' ? 'DISTINCT ' : ''}${args.join(', ')})${condition}`
}

function printLiteral({ form, text, isOdd, call, at }: Literal): string {
  if (isOdd) decline('a number without a name', at)
  switch (form) {
    case 'integer':
    case 'decimal':
      return text
    case 'null':
      return 'NULL'
    case 'boolean':
      return `CAST('${text === 'true' ? 't' : 'f'}' AS BOOLEAN)`
    case 'string':
      return quote(text)
    case 'interval':
      return call ?? `CAST(${quote(text)} AS INTERVAL)`
    case 'date':
    case 'time':
    case 'timestamp':
      return `CAST(${quote(text)} AS ${form.toUpperCase()})`
    default:
      return decline(`a ${form} without a name`, at)
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The negations that DuckDB writes as another condition. */
const NEGATED: ReadonlyMap<string, string> = new Map([
  ['=', '<>'],
  ['<>', '='],
  ['<', '>='],
  ['<=', '>'],
  ['>', '<='],
  ['>=', '<'],
  ['in', 'not_in'],
])

/** A negation as DuckDB keeps it. */
function withoutNot(expression: SqlExpression): SqlExpression {
  if (expression.kind !== 'call' || expression.name !== 'not') return expression
  const [arg] = expression.args.map(withoutNot)
  const name = arg?.kind === 'call' ? NEGATED.get(arg.name) : undefined
  return arg?.kind === 'call' && name !== undefined
    ? { ...arg, name }
    : { ...expression, args: arg ? [arg] : [] }
}

const INFIX: ReadonlyMap<string, string> = new Map([
  ...[
    '+',
    '-',
    '*',
    '//',
    '%',
    '^',
    '**',
    '^@',
    '~~',
    '!~~',
    '~~*',
    '!~~*',
    '||',
    '=',
    '<',
    '<=',
    '>',
    '>=',
  ].map((sign) => [sign, sign] as const),
  ['<>', '!='],
  ['is_distinct_from', 'IS DISTINCT FROM'],
  ['is_not_distinct_from', 'IS NOT DISTINCT FROM'],
])

/** Functions that DuckDB's grammar has a form of their own for, and prints with their schema. */
const WITH_SCHEMA: ReadonlySet<string> = new Set(['substring', 'trim'])

function printCall({ name, args, to, hasForm }: Call): string {
  const printed = args.map(printLabel)
  const form = printForm(name, printed, to?.name ?? '')
  if (form !== null) return form
  switch (name) {
    case 'and':
    case 'or':
      return `(${flatten(name, args).map(printLabel).join(` ${name.toUpperCase()} `)})`
    case 'extract':
      return `main.date_part(${printed.join(', ')})`
    case 'case':
      return printCase(printed)
    case 'coalesce':
    case 'ifnull':
      return `COALESCE(${printed.join(', ')})`
    case 'if':
      return printCase(printed)
  }
  if (name === '-' && args.length === 1) return `-(${printed[0]})`
  const sign = args.length === 2 ? INFIX.get(name) : undefined
  return sign === undefined
    ? `${hasForm || WITH_SCHEMA.has(name) ? 'main.' : ''}${printIdentifier(name)}(${printed.join(', ')})`
    : `(${printed.join(` ${sign} `)})`
}

/** The arguments of AND or OR, with those of an argument that is the same in its place. */
function flatten(name: string, args: readonly SqlExpression[]): readonly SqlExpression[] {
  return args.flatMap((arg) => (arg.kind === 'call' && arg.name === name ? flatten(name, arg.args) : [arg]))
}

function printCase(printed: readonly string[]): string {
  const branches = Array.from({ length: printed.length >> 1 }, (_, branch) => {
    return `WHEN (${printed[2 * branch]}) THEN (${printed[2 * branch + 1]})`
  })
  return `CASE  ${branches.join(' ')} ELSE ${printed.at(-1)} END`
}
