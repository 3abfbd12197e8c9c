import { isServiceError } from '../../plan/errors.ts'
import { isGuess } from '../../plan/source/text.ts'
import { claimsIn } from '../../plan/statement/claims.ts'
import type { Ending } from '../../plan/task/fragment.ts'
import type { ScanAnswer, ScanTask } from '../../plan/task/task.ts'
import { type DataType, valueType } from '../../plan/types/schema.ts'
import type { Core } from '../../wasm/core/core.ts'
import { encodeRows } from '../rows/encode-rows.ts'
import { countTable, finalRows } from '../rows/final-rows.ts'
import { addUnit, areValuesEnough, groupTable, withGroups } from '../rows/groups.ts'
import { shortTransferTypes, transferTypes } from '../rows/part-dictionaries.ts'
import { countPassing } from '../rows/passing-parts.ts'
import { readTogether } from '../rows/read-together.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { readUnit } from '../units/read-unit.ts'
import { readUnits } from '../units/read-units.ts'
import { finishJointly } from './finish.ts'
import { fragmentOf } from './fragment.ts'

/** Encodes the rows of a unit, or makes a fragment or the whole answer of the rows of several units. */
export function scan(task: ScanTask, state: WorkerState, context: TaskContext): ScanAnswer {
  const { fragment } = task
  const rest = { kind: 'rows', skipped: 0, resume: null } as const
  const { stopwatch } = context
  const isUnsorted = fragment.kind === 'top' && !Number.isFinite(fragment.limit)
  if (fragment.kind !== 'rows' && fragment.kind !== 'answer' && !isUnsorted) {
    const make = () => withMemory(state, context, () => fragmentOf(fragment, task, state, context))
    const result = nullIfMisplaced(task, make) ?? { parts: [] }
    const finished = task.joint && finishJointly(task.joint, task, result.parts, state, context)
    return { ...rest, ...result, ...(finished && { finished }), metrics: stopwatch.metrics() }
  }
  const isTaken = task.claim !== null && !claimsIn(task.claim.words).take(task.claim.index, 'assistant')
  const make = () =>
    fragment.kind === 'answer'
      ? withMemory(state, context, () => answerOf(fragment.ending, task, state, context))
      : isOneTable(task)
        ? readUnit({ ...task, isStreamed: true }, state, context)
        : readTogether(task, state, context)
  const table = isTaken ? null : (state.units.take(task.key) ?? nullIfMisplaced(task, make))
  const taken = isTaken ? ({ isTaken } as const) : {}
  if (table === null) return { ...rest, ...taken, parts: [], metrics: stopwatch.metrics() }
  const { span } = table
  const types = fragment.kind === 'answer' ? fragment.ending.types : typesOf(task, table, context.core)
  const wanted = isUnsorted ? { ...task, encoding: 'arrow' as const } : task
  const encoded = encodeRows(wanted, table, types, state.units, context)
  return { ...rest, ...encoded, ...(span && { span }), metrics: stopwatch.metrics() }
}

/**
 * What `make` returns. Null if it throws `unreadable_file` about a text unit whose beginning was guessed: the guess may be
 * wrong and the file fine, so main has the unit read again from its known beginning.
 */
function nullIfMisplaced<T>({ unit }: ScanTask, make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (isGuess(unit) && isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}

/** Whether rows of one unit are sent as they are decoded. What is sent to a statement's worker has all rows of its unit. */
function isOneTable({ more, unit, claim }: ScanTask): boolean {
  return more.length === 0 && !(unit.kind === 'run' && claim !== null)
}

/** The types in which rows are encoded. Text that is sent to another worker may stay in a dictionary. */
function typesOf(
  { scan: { projection }, fragment, claim }: ScanTask,
  unit: DecodedUnit,
  core: Core,
): readonly DataType[] {
  const types = projection.map(({ field }) => field.type)
  if (fragment.kind === 'rows' && claim === null) return types
  const passing = countPassing(unit, core)
  if (fragment.kind === 'rows') return transferTypes(core, unit.columns, types, passing)
  return shortTransferTypes(core, unit.columns, types.map(valueType), passing)
}

/** The whole answer of a query all of whose units are in one task. */
function answerOf(ending: Ending, task: ScanTask, state: WorkerState, context: TaskContext): DecodedUnit {
  const { grouping, firsts, isCounted } = ending.finish
  const { core } = context
  const types = task.scan.projection.map(({ field }) => field.type)
  const withSpan = (table: DecodedUnit, span: DecodedUnit['span']): DecodedUnit => ({ ...table, span })
  if (grouping !== null) {
    return withGroups(grouping, types, state.groupBytes, core, (groups) => {
      const add = (unit: DecodedUnit): void => addUnit(groups, grouping, unit, context)
      const span = readUnits(task, state, context, add, areValuesEnough(grouping))
      return withSpan(
        finalRows(groupTable(groups, grouping, types, context), ending, state.groupBytes, context),
        span,
      )
    })
  }
  if (isCounted && firsts === undefined) {
    let rows = 0
    const span = readUnits(task, state, context, (unit) => {
      rows += countPassing(unit, core)
    })
    return withSpan(countTable(core, rows, ending), span)
  }
  const table = firsts === undefined ? readUnit(task, state, context) : readTogether(task, state, context)
  return withSpan(finalRows({ table, types }, ending, state.groupBytes, context), table.span)
}
