import { columnExpression, constantExpression, requireColumn } from '../../../plan/expression.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { columnsOf, type Predicate } from '../../../plan/predicate/predicate.ts'
import type { Projection } from '../../../plan/scan.ts'
import type { Finish } from '../../../plan/task/finish.ts'
import {
  type DataType,
  type Field,
  field,
  type Schema,
  sameType,
  typeName,
  valueType,
} from '../../../plan/types/schema.ts'
import { isPartOf, metadataOf } from '../../sql/duckdb/statement-of.ts'
import type { ScanJson } from '../request/supported.ts'
import type { Source } from '../source/files-table.ts'
import { sqlColumnType } from './column-type.ts'
import { bindRowFilter, byOutputName, fieldsOf, projectEntry, scanSpec } from './columns.ts'
import { leave, type Outcome, orReason } from './declined.ts'
import { createScope, type Scope } from './scope.ts'
import type { Term } from './terms.ts'

const NO_FUNCTIONS = Object.freeze({ names: new Set<string>(), takingIntegers: new Set<string>() })

/**
 * The plan of a request that sorts or asks for distinct rows (docs/reference/json-language.md), or why it is DuckDB's. Columns leave
 * in the types that statements give them. Throws what `bind` throws.
 */
export function bindOrdered(
  request: ScanJson,
  { relation, format, files }: Source,
  schema: Schema,
): Outcome<ScanPlan> {
  return orReason(() => {
    const fieldOf = fieldsOf(schema, relation)
    const scope = createScope(request, schema, fieldOf, NO_FUNCTIONS)
    const outputs = byOutputName(
      request.select.map((entry) => projectEntry(entry, fieldOf)),
      (output) => output.field.name,
      (index) => request.select[index]?.path ?? '',
    )
    const filter = bindRowFilter(request.filters, outputs, fieldOf)
    const { projection, finish, fields } = finishOf(scope)
    return Object.freeze({
      engine: 'core',
      scan: scanSpec(format, filter, projection, inTypesOf(projection, filter, schema)),
      relation,
      files,
      finish: Object.freeze(finish),
      output: Object.freeze({ fields, metadata: schema.metadata }),
      offset: request.offset,
      limit: request.limit,
    })
  })
}

/** The fields with the types of projected columns. A filter compares in the type that the files have. */
function inTypesOf(
  projection: readonly Projection[],
  filter: Predicate | null,
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
    if (filtered.has(each.name) && !sameType(valueType(type), valueType(each.type))) leaveFor(each)
    return { ...each, type }
  })
}

interface Finished {
  readonly projection: readonly Projection[]
  readonly finish: Finish
  readonly fields: readonly Field[]
}

function finishOf({ finals, groups, keys }: Scope): Finished {
  const list: Projection[] = []
  const places = new Map<string, number>()
  const add = (term: Term): number => {
    const place = places.get(term.sql) ?? list.push(projectionOf(term, `${list.length}`)) - 1
    places.set(term.sql, place)
    return place
  }
  const typeOf = (term: Term): DataType => list[add(term)]?.field.type ?? { kind: 'null' }
  const order = (placeOf: (term: Term) => number): Finish['order'] =>
    keys.map((key) => ({
      column: placeOf(key),
      isDescending: key.direction === 'desc',
      areNullsFirst: false,
    }))
  const outputs = [...finals.values()]
  const finish = groups === null ? { grouping: null, placeOf: add } : distinct(groups, keys, outputs, add)
  return {
    finish: {
      grouping: finish.grouping,
      order: order(finish.placeOf),
      output: outputs.map(finish.placeOf),
      isCounted: false,
    },
    fields: [...finals].map(([name, term]) => ({ ...field(name, typeOf(term)), metadata: metadataOf(term) })),
    projection: list,
  }
}

/** The first row of each group. Sorted by what is equal in a group, the first of the files is the first. */
function distinct(
  groups: readonly Term[],
  keys: readonly Term[],
  outputs: readonly Term[],
  add: (term: Term) => number,
): { readonly grouping: Finish['grouping']; placeOf(term: Term): number } {
  if (!isPartOf(keys, groups)) leave('distinct rows in the order of other columns')
  const grouped = new Set(groups.map(({ sql }) => sql))
  const others = new Map(outputs.filter(({ sql }) => !grouped.has(sql)).map((term) => [term.sql, term]))
  const places = new Map([...grouped, ...others.keys()].map((sql, place) => [sql, place]))
  return {
    grouping: {
      keys: groups.map(add),
      aggregates: [...others.values()].map((term) => ({ kind: 'first', argument: add(term) })),
      having: null,
    },
    placeOf: ({ sql }) => places.get(sql) ?? 0,
  }
}

const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })

function projectionOf({ scanned }: Term, name: string): Projection {
  if (scanned === null) return leave('a function')
  const type = scanned.field.type.kind === 'null' ? INT32 : sqlColumnType(scanned.field.type)
  if (type === null) return leaveFor(scanned.field)
  const { expression } = scanned
  return Object.freeze({
    expression:
      expression.kind === 'constant'
        ? constantExpression(expression.value, type)
        : columnExpression(requireColumn(expression), type),
    field: field(name, type),
  })
}

function leaveFor({ name, type }: Field): never {
  return leave(`column "${name}" of type ${typeName(type)}`)
}
