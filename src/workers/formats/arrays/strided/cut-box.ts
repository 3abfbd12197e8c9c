import type { Box } from '../array-file.ts'

/**
 * Cuts a box along its outer axes into boxes of at most `maxElements` elements, in C order. An extent of 0 gives none.
 */
export function* cutBox({ origin, extent }: Box, maxElements: number): Generator<Box> {
  if (extent.includes(0)) return
  // The axes before `axis` are cut into single indices, and `axis` itself into runs of `step`.
  let axis = extent.length - 1
  let inner = 1
  while (axis > 0 && inner * (extent[axis] ?? 1) <= maxElements) inner *= extent[axis--] ?? 1
  const step = Math.max(1, Math.floor(maxElements / inner))
  const steps = extent.map((length, place) => (place < axis ? 1 : place === axis ? step : length))
  const at = extent.map(() => 0)
  for (;;) {
    yield {
      origin: origin.map((from, place) => from + (at[place] ?? 0)),
      extent: steps.map((most, place) => Math.min(most, (extent[place] ?? 0) - (at[place] ?? 0))),
    }
    let place = axis
    for (; place >= 0; place--) {
      const next = (at[place] ?? 0) + (steps[place] ?? 1)
      at[place] = next < (extent[place] ?? 0) ? next : 0
      if (next < (extent[place] ?? 0)) break
    }
    if (place < 0) return
  }
}
