import type { Aggregate, Share } from '../../../plan/task/finish.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Column, Groups } from '../column.ts'
import { template } from '../columns.ts'
import type { Core } from '../core.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'
import { collect } from './assembly.ts'

type Grouping = Pick<
  Core,
  'groups' | 'addRows' | 'groupsBytes' | 'addGroups' | 'groupCount' | 'groupColumns' | 'freeGroups'
>

/** The codes of `group/aggregate.rs`, `Kind::from_code`. */
const KINDS: Readonly<Record<Aggregate['kind'], number>> = Object.freeze({
  count_rows: 0,
  count: 1,
  count_distinct: 2,
  sum: 3,
  min: 4,
  max: 5,
  avg: 6,
  stddev_samp: 7,
  stddev_pop: 8,
  var_samp: 9,
  var_pop: 10,
  first: 11,
  quantile_cont: 12,
  quantile_disc: 13,
  arg_max: 16,
  arg_min: 17,
})

/** What is added to the code of a quantile of distinct values. */
const DISTINCT = 2

/** Takes the place of the argument of an aggregate without one. */
const NO_ARGUMENT = [0, 0, 0, 0] as const

const NO_SHARE: Share = Object.freeze({ digits: 0, scale: 0 })

export function createGroups(instance: Instance): Grouping {
  // The hash seed is random, so that nobody can make a file whose values all collide.
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  const setWords = (words: readonly number[]): void =>
    instance.setArguments(new Uint8Array(Int32Array.from(words).buffer))
  /** Makes a column without rows for each type. They tell the core the layouts of the types. */
  const withTemplates = <T>(types: readonly DataType[], use: (templates: readonly Column[]) => T): T => {
    const templates = collect(instance, types, (type) => template(instance, type))
    try {
      return use(templates)
    } finally {
      if (!instance.isDead()) for (const column of templates) instance.call('column_free', column)
    }
  }
  return {
    groups(keys, aggregates, maximumBytes) {
      const types = [...keys, ...aggregates.flatMap(({ type, by }) => [type ?? [], by ?? []].flat())]
      return withTemplates(types, (templates) => {
        const rest = templates.values()
        const describe = (type: DataType): number[] => [
          rest.next().value ?? 0,
          ...typeCode(type),
          Number(type.kind === 'dictionary'),
        ]
        const ofKeys = keys.flatMap(describe)
        const ofAggregates = aggregates.flatMap(
          ({ kind, type, by, share = NO_SHARE, isDistinct = false, valuesOf = -1 }) => [
            KINDS[kind] + (isDistinct ? DISTINCT : 0),
            ...(type === null ? NO_ARGUMENT : describe(type)),
            ...(by === undefined ? NO_ARGUMENT : describe(by)),
            share.digits,
            share.scale,
            valuesOf + 1,
          ],
        )
        setWords([...ofKeys, ...ofAggregates])
        return instance.call('groups_new', keys.length, Math.min(maximumBytes, 0xffff_ffff), seed) as Groups
      })
    },
    addRows(groups, keys, args, rows, mask) {
      setWords([...keys, ...args.map((column) => column ?? 0)])
      instance.call('groups_rows', groups, rows, mask ?? 0)
    },
    groupsBytes(groups) {
      instance.call('groups_bytes', groups)
      return instance.copy(instance.result(0), instance.result(1))
    },
    addGroups(groups, bytes) {
      instance.setArguments(bytes)
      instance.call('groups_merge', groups)
    },
    groupCount(groups) {
      instance.call('groups_count', groups)
      return instance.result(0)
    },
    groupColumns(groups) {
      instance.call('groups_columns', groups)
      const columns = Array.from({ length: instance.result(0) }, (_, index) => index)
      return collect(instance, columns, (index) => instance.call('groups_column', groups, index) as Column)
    },
    freeGroups(groups) {
      if (!instance.isDead()) instance.call('groups_free', groups)
    },
  }
}
