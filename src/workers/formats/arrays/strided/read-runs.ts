import type { ByteSource } from '../../../store/byte-source.ts'
import type { RunAxis, Runs } from './runs.ts'

/** The largest gap between two runs that is read with them. Reading it takes less time than another call does. */
const MAX_GAP_BYTES = 16 << 10

/** What is longer is read to where it is wanted by a call of its own. What is shorter is copied from a window. */
const MAX_COPIED_BYTES = 64 << 10

/** The most bytes of a window, which is read in one call. */
const MAX_WINDOW_BYTES = 1 << 20

/** Up to this length a run is copied byte by byte. That takes less time than a call that copies it. */
const MAX_LOOPED_BYTES = 32

/**
 * Returns a function that reads runs of a file one after the other into `target`, which has exactly their bytes. Runs between
 * which there are small gaps are read together. `checkCancelled` is called before each read.
 */
export function createRunReader(
  source: ByteSource,
  checkCancelled: () => void,
): (runs: Runs, target: Uint8Array) => void {
  let memory: Uint8Array | null = null

  function readInto(place: number, target: Uint8Array): void {
    checkCancelled()
    source.readInto(place, target)
  }

  /** Reads a window. The one before is not valid any more. */
  function readWindow(place: number, length: number): Uint8Array {
    memory ??= new Uint8Array(MAX_WINDOW_BYTES)
    const window = memory.subarray(0, length)
    readInto(place, window)
    return window
  }

  return ({ from, bytes, axes }, target) => {
    const areCopied = axes.map(
      ({ span }, depth) =>
        span <= MAX_COPIED_BYTES &&
        axes.slice(depth).every((inner) => inner.stride - inner.span <= MAX_GAP_BYTES),
    )

    /** Reads the runs from the axis `depth` on to `to`. The first run is at `place`. */
    function read(depth: number, place: number, to: number): void {
      const axis = axes[depth]
      if (axis === undefined) readInto(place, target.subarray(to, to + bytes))
      else if (areCopied[depth] === true) readWindows(axis, depth, place, to)
      else
        for (let index = 0; index < axis.extent; index++)
          read(depth + 1, place + index * axis.stride, to + index * axis.bytes)
    }

    function readWindows(axis: RunAxis, depth: number, place: number, to: number): void {
      const most = 1 + Math.floor((MAX_WINDOW_BYTES - axis.span) / axis.stride)
      for (let index = 0; index < axis.extent; index += most) {
        const count = Math.min(most, axis.extent - index)
        const window = readWindow(place + index * axis.stride, (count - 1) * axis.stride + axis.span)
        copy(window, depth, count, 0, to + index * axis.bytes)
      }
    }

    /** Copies the runs at `count` indices of the axis `depth`. The first run is at `at` in the window. */
    function copy(window: Uint8Array, depth: number, count: number, at: number, to: number): void {
      const axis = axes[depth]
      if (axis === undefined) target.set(window.subarray(at, at + bytes), to)
      else if (axis.bytes <= MAX_LOOPED_BYTES && depth === axes.length - 1)
        copyShortRuns(window, at, axis, count, target, to)
      else
        for (let index = 0; index < count; index++)
          copy(
            window,
            depth + 1,
            axes[depth + 1]?.extent ?? 1,
            at + index * axis.stride,
            to + index * axis.bytes,
          )
    }

    read(0, from, 0)
  }
}

function copyShortRuns(
  window: Uint8Array,
  at: number,
  { stride, bytes }: RunAxis,
  count: number,
  target: Uint8Array,
  to: number,
): void {
  for (let run = 0, place = at, next = to; run < count; run++, place += stride)
    for (let byte = 0; byte < bytes; byte++) target[next++] = window[place + byte] ?? 0
}
