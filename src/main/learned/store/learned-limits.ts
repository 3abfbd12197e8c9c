export interface LearnedLimits {
  /** The most files. Beyond it blocks that were written first are dropped. */
  readonly files: number
  /** The most texts. Beyond it everything is dropped: so many schemas are no longer shared by many files. */
  readonly texts: number
}

/** The most files unless a setting says otherwise, and the most texts. */
export const LEARNED_LIMITS: LearnedLimits = Object.freeze({ files: 1_000_000, texts: 65_536 })
