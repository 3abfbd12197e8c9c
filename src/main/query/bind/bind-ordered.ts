import type { Condition } from '../../../plan/condition/condition.ts'
import {
  columnExpression,
  columnsOf,
  constantExpression,
  type Expression,
  type TypedExpression,
  withPlace,
} from '../../../plan/expression.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import type { Projection } from '../../../plan/scan.ts'
import type { Finish, SortKey } from '../../../plan/task/finish.ts'
import {
  type DataType,
  type Field,
  field,
  type Schema,
  sameType,
  typeName,
  valueType,
} from '../../../plan/types/schema.ts'
import type { JsonRequest } from '../request/request.ts'
import type { Source } from '../source/files-table.ts'
import { sqlColumnType } from './column-type.ts'
import { bindRowFilter, namingFieldsOf, scanSpec } from './columns.ts'
import { type Declinable, decline, orDeclined } from './declined.ts'
import { bindCall } from './expressions/bind-call.ts'
import { CORE_FUNCTIONS } from './functions.ts'
import { createGroupList } from './group-list.ts'
import { createProjectionList, type ProjectionList } from './projection-list.ts'
import { createScope, type Scope } from './scope.ts'
import { isPartOf, type Term } from './terms.ts'

/**
 * Binds a request that sorts, asks for distinct rows or calls functions (docs/reference/json-language.md). Its columns have the types
 * that they would have in the answer to a statement, so that DuckDB gives the same answer to a request that the core declines.
 * Throws what `bind` throws.
 */
export function bindOrdered(
  request: JsonRequest,
  { relation, format, files }: Source,
  schema: Schema,
): Declinable<ScanPlan> {
  return orDeclined(() => {
    const { fieldOf, named } = namingFieldsOf(schema, relation)
    const scope = createScope(request, schema, fieldOf, CORE_FUNCTIONS)
    const outputs = new Map([...scope.outputs].map(([name, term]) => [name, withTypes(term)]))
    const filter = bindRowFilter(request.filters, outputs, fieldOf)
    const { projection, finish, fields } = finishOf(scope)
    return Object.freeze({
      engine: 'core',
      scan: scanSpec(format, filter, projection, inTypesOf(projection, filter, schema), named()),
      relation,
      files,
      finish: Object.freeze(finish),
      output: Object.freeze({ fields, metadata: schema.metadata }),
      offset: request.offset,
      limit: request.limit,
    })
  })
}

/**
 * The schema's fields, those of projected columns with the types of the projection. Declines a filter on a column whose type
 * changes: it compares values of the type that the files have.
 */
function inTypesOf(
  projection: readonly Projection[],
  filter: Condition | null,
  { fields }: Schema,
): readonly Field[] {
  const types = new Map(
    projection.flatMap(({ expression, field: { type } }) =>
      expression.kind === 'column' ? [[expression.column, type] as const] : [],
    ),
  )
  const filtered = new Set(filter === null ? [] : columnsOf(filter))
  return fields.map((each) => {
    const type = types.get(each.name) ?? each.type
    if (filtered.has(each.name) && !sameType(valueType(type), valueType(each.type)))
      declineType(each.name, each.type)
    return { ...each, type }
  })
}

/** What is made of the rows, and from which columns. `fields` are those of the answer. */
interface Finished {
  readonly projection: readonly Projection[]
  readonly finish: Finish
  readonly fields: readonly Field[]
}

function finishOf(scope: Scope): Finished {
  const { finals, groups, keys } = scope
  const projection = createProjectionList()
  const isGrouped = groups !== null && isPartOf(keys, groups)
  const { grouping, indexOf } = isGrouped
    ? distinct(scope, groups, projection)
    : { grouping: null, indexOf: (term: Term) => projection.add(expressionOf(term)) }
  const output = [...finals.values()].map(indexOf)
  const order = keys.map(
    (key): SortKey => ({
      column: indexOf(key),
      isDescending: key.direction === 'desc',
      areNullsFirst: false,
    }),
  )
  // Of each group the first row in the order is kept, if that depends on other columns than the group's own.
  const firsts =
    groups === null || isGrouped
      ? {}
      : { firsts: Object.freeze({ keys: groups.map(indexOf), order, most: 1, isNumbered: false }) }
  return {
    finish: { grouping, ...firsts, order, output, isCounted: false },
    fields: [...finals].map(([name, term]) => ({
      ...field(name, expressionOf(term).type),
      metadata: term.metadata,
    })),
    projection: projection.list,
  }
}

/**
 * Distinct rows are groups of which only the first row in file order is kept. That is the first row in the order of `keys` as
 * well, as long as all keys are among the groups' own: rows of one group are then equal in that order.
 */
function distinct(
  { finals }: Scope,
  groups: readonly Term[],
  projection: ProjectionList,
): { readonly grouping: Finish['grouping']; indexOf(term: Term): number } {
  const list = createGroupList(projection)
  for (const term of groups) list.addKey(expressionOf(term))
  const indexOf = (term: Term): number => {
    const expression = expressionOf(term)
    return list.keyIndex(expression) ?? list.aggregateIndex({ kind: 'first', argument: expression })
  }
  for (const term of finals.values()) indexOf(term)
  return { grouping: list.grouping(null), indexOf }
}

const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })

/** The expression that a scan evaluates for a term, with the type that it would have in the answer to a statement. */
function expressionOf({ expression }: Pick<Term, 'expression'>): TypedExpression {
  if (expression.kind === 'call') {
    const args = expression.args.map((arg) => argumentOf(arg))
    return withPlace(bindCall(expression.name, args, null), expression.place)
  }
  const type = expression.type.kind === 'null' ? INT32 : sqlColumnType(expression.type)
  if (expression.kind === 'constant') return constantExpression(expression.value, type ?? expression.type)
  if (expression.kind === 'group') throw new TypeError('a request has no columns of groups')
  return type === null
    ? declineType(expression.column, expression.type)
    : columnExpression(expression.column, type)
}

/** An argument of a function. A column must have the type in the files that it has in a statement: a filter may compare it too. */
function argumentOf(expression: Expression): TypedExpression {
  const typed = expressionOf({ expression })
  if (expression.kind === 'column' && !sameType(typed.type, expression.type))
    declineType(expression.column, expression.type)
  return typed
}

/** An output whose function, if it is one, has a type, so that filters can compare it. */
function withTypes(term: Term): Term {
  return term.expression.kind === 'call' ? { ...term, expression: expressionOf(term) } : term
}

function declineType(name: string, type: DataType): never {
  return decline(`column "${name}" of type ${typeName(type)}`)
}
