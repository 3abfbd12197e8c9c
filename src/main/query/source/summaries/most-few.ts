/** Up to so many files are few: of small ones too, it is known which values they have along their axes. */
export const MOST_FEW = 64
