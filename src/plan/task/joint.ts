import type { Field } from '../types/schema.ts'
import type { Ending } from './fragment.ts'
import type { Part } from './part.ts'

/**
 * Memory to which the tasks of a query write small fragments. The last of them makes the answer of all, so that main need not ask a worker for that: it
 * takes a message to a worker and back, which is as long as scanning some chunks.
 */
export interface JointFragments {
  /** Words, and then room for the fragment of each task. */
  readonly memory: SharedArrayBuffer
  readonly tasks: number
  /** The number of this task among them. */
  readonly index: number
  readonly ending: Ending
  /** The fields of the scan's projection. */
  readonly fields: readonly Field[]
}

/** The most tasks of a query that do so. */
export const MOST_JOINT_TASKS = 32

/** The most bytes of a fragment. If one has more, main has the answer made. */
const MOST_BYTES = 2048

/** The first word is not 0 once a task makes the answer. One for each task follows: 0, or the length of its fragment and 1, or `TOO_LARGE`. */
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT
const TOO_LARGE = -1

export function jointMemory(tasks: number): SharedArrayBuffer {
  return new SharedArrayBuffer(roomOf(tasks, tasks))
}

/** Writes the fragment of a task, of no parts or one. Returns the fragments of all tasks if the answer is to be made of them here, and null if not. */
export function addJointFragment(joint: JointFragments, parts: readonly Part[]): readonly Part[] | null {
  const { memory, tasks, index } = joint
  const words = new Int32Array(memory, 0, 1 + tasks)
  const bytes = bytesOf(parts)
  if (bytes === null) {
    Atomics.store(words, 1 + index, TOO_LARGE)
    return null
  }
  new Uint8Array(memory, roomOf(tasks, index)).set(bytes)
  Atomics.store(words, 1 + index, bytes.length + 1)
  for (let task = 0; task < tasks; task++) if (Atomics.load(words, 1 + task) <= 0) return null
  if (Atomics.exchange(words, 0, 1) !== 0) return null
  return Array.from({ length: tasks }, (_, task): Part[] => {
    const length = Atomics.load(words, 1 + task) - 1
    if (length === 0) return []
    const copy = new Uint8Array(memory, roomOf(tasks, task), length).slice()
    return [{ rows: 0, from: 0, payload: { kind: 'groups', bytes: copy.buffer } }]
  }).flat()
}

/** The bytes of a table of groups. Null: they are too many, or no such table. */
function bytesOf([part, ...others]: readonly Part[]): Uint8Array | null {
  if (part === undefined) return new Uint8Array(0)
  const { payload } = part
  if (others.length > 0 || payload.kind !== 'groups' || payload.bytes.byteLength > MOST_BYTES) return null
  return new Uint8Array(payload.bytes)
}

/** Where the room of a task begins, behind all words. */
function roomOf(tasks: number, task: number): number {
  return (1 + tasks) * WORD_BYTES + task * MOST_BYTES
}
