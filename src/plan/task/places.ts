import { type Field, field } from '../types/schema.ts'

/** A task has fewer rows: those of a column of the core are numbered by 31 bits. */
const TASK_ROWS = 2 ** 31

/** The most tasks of which rows have places: these are whole numbers that a float of 64 bits has exactly. */
export const MOST_PLACED_TASKS = 2 ** 22

/** The column of places, behind those of the projection. */
export const PLACE_FIELD: Field = field('place', { kind: 'float', bits: 64 })

/** The place of a row of a task: those of all tasks are in file order. `row` is counted over all units of the task. */
export function placeOf(task: number, row: number): number {
  return task * TASK_ROWS + row
}

/** The task of a place. */
export function taskAt(place: number): number {
  return Math.floor(place / TASK_ROWS)
}

/** The row of a place, counted over all units of its task. */
export function rowAt(place: number): number {
  return place % TASK_ROWS
}
