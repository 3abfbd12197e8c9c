import type { OdvPlan } from '../../../plan/output/odv-plan.ts'
import {
  CHANGED,
  type FeatureType,
  featureType,
  type RowIdentity,
} from '../../../plan/output/odv-stations.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { at, type TypedTable } from '../../rows/typed-table.ts'

/** The bits by which each row of a table differs from the one before it. */
export function changesOf(core: Core, plan: OdvPlan, { table, types }: TypedTable): Uint8Array {
  const compare = (index: number, bits: number) => ({
    column: at(table.columns, index),
    type: at(types, index),
    bits,
  })
  const keys = [
    compare(plan.key, CHANGED.key),
    compare(plan.longitude, CHANGED.position),
    compare(plan.latitude, CHANGED.position),
    compare(plan.time, CHANGED.time),
    compare(plan.depth, CHANGED.depth),
  ]
  return core.changes(keys, table.rows)
}

/** A row of a table as it is compared with one of another table. */
export function identityOf(
  core: Core,
  plan: OdvPlan,
  { table, types }: TypedTable,
  row: number,
): RowIdentity {
  const value = (index: number) => identity(core.valueAt(at(table.columns, index), at(types, index), row))
  return {
    key: value(plan.key),
    position: `${value(plan.longitude)} ${value(plan.latitude)}`,
    time: value(plan.time),
    depth: value(plan.depth),
  }
}

/** The kind of station that a row of a table names. */
export function namedBy(
  core: Core,
  plan: OdvPlan,
  { table, types }: TypedTable,
): (row: number) => FeatureType | null {
  const { featureType: index } = plan
  if (index === null) return () => null
  const [column, type] = [at(table.columns, index), at(types, index)]
  return (row) => {
    const value = core.valueAt(column, type, row)
    return featureType(value?.kind === 'bytes' ? Buffer.from(value.value).toString() : null)
  }
}

/** Text that is equal for values that are equal when they are sorted: −0.0 is 0.0, and NaN is NaN. */
function identity(value: Scalar | null): string {
  if (value === null) return 'null'
  return value.kind === 'bytes' ? `x${Buffer.from(value.value).toString('hex')}` : String(value.value)
}
