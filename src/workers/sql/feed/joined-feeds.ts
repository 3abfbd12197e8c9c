import type { Feed } from './feed.ts'

/** The rows of feeds one after the other. Each is opened by `open` when the one before has ended. */
export function joinedFeeds<T>(parts: readonly T[], open: (part: T) => Feed): Feed {
  const remainingParts = parts.values()
  let feed: Feed | null = null
  return {
    next(chunk) {
      for (;;) {
        const rows = feed?.next(chunk) ?? 0
        if (rows > 0) return rows
        feed?.end()
        feed = null
        const { value, done } = remainingParts.next()
        if (done) return 0
        feed = open(value)
      }
    },
    end() {
      feed?.end()
      feed = null
    },
  }
}
