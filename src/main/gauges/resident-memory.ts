import { readFile } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import type { RunningThreads } from './threads.ts'

/** The resident memory of the process by what holds it, in bytes. The parts add up to it, but for a few MB of code that heaps hold too. */
export interface ResidentMemory {
  readonly resident_bytes: number
  /** The program itself: files that are mapped, such as Node. */
  readonly program_bytes: number
  readonly main_heap_bytes: number
  /** Those of all other threads that answer at once. */
  readonly thread_heap_bytes: number
  /** Memories of WebAssembly: the cores and DuckDB. Pages that were never touched are not resident. */
  readonly webassembly_bytes: number
  /** Code that V8 has compiled. */
  readonly code_bytes: number
  /** What malloc has given or keeps: buffers, and the objects of libraries, among them DuckDB's module. Stacks too. */
  readonly other_bytes: number
}

/** A thread that is busy in one long call answers later, and is not waited for. Milliseconds. */
const PATIENCE_MS = 200

/** V8 reserves so many bytes or more behind each memory of WebAssembly, so that no address leads beyond. */
const GUARD_BYTES = 2 ** 31

/** Null: the system tells it in another way than Linux. */
export async function measureMemory({ all }: Pick<RunningThreads, 'all'>): Promise<ResidentMemory | null> {
  const text = await readFile('/proc/self/smaps', 'utf8').catch(() => null)
  if (text === null) return null
  const { total, program, webassembly, code } = sumMappings(text)
  const heaps = await Promise.all(
    Array.from(all, async (thread) =>
      Promise.race([
        thread.getHeapStatistics().then(
          (heap) => heap.total_physical_size,
          () => 0,
        ),
        after(PATIENCE_MS, 0, { ref: false }),
      ]),
    ),
  )
  const main = getHeapStatistics().total_physical_size
  const threads = heaps.reduce((sum, each) => sum + each, 0)
  return {
    resident_bytes: total,
    program_bytes: program,
    main_heap_bytes: main,
    thread_heap_bytes: threads,
    webassembly_bytes: webassembly,
    code_bytes: code,
    other_bytes: Math.max(0, total - program - main - threads - webassembly - code),
  }
}

interface Mapping {
  readonly from: number
  readonly to: number
  readonly access: string
  readonly file: string
  resident: number
}

/** The resident bytes of mappings by their kinds, from the text of `/proc/<process>/smaps`. */
export function sumMappings(text: string): {
  readonly total: number
  readonly program: number
  readonly webassembly: number
  readonly code: number
} {
  const mappings: Mapping[] = []
  for (const [, from, to, access = '', file = '', kilobytes] of text.matchAll(LINE)) {
    const last = mappings.at(-1)
    if (kilobytes !== undefined && last !== undefined) last.resident = 1024 * Number(kilobytes)
    else if (from !== undefined && to !== undefined)
      mappings.push({ from: Number(`0x${from}`), to: Number(`0x${to}`), access, file, resident: 0 })
  }
  const sums = { total: 0, program: 0, webassembly: 0, code: 0 }
  for (const [index, { to, access, file, resident }] of mappings.entries()) {
    const next = mappings[index + 1]
    const isGuarded = next?.from === to && next.access.startsWith('---') && next.to - next.from >= GUARD_BYTES
    sums.total += resident
    if (file.startsWith('/')) sums.program += resident
    else if (access.includes('x')) sums.code += resident
    else if (access.startsWith('rw') && isGuarded) sums.webassembly += resident
  }
  return sums
}

/** The first line of a mapping, or that of its resident kB. */
const LINE = /^(?:([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \S+ *(.*)|Rss: +(\d+) kB)$/gm
