import type { FormatOption } from './format-row.ts'

/** What NaN in arrays is: null, as almost all files mean it, or a value like others, the greatest number. */
export type ArrayNan = 'null' | 'value'

const ARRAY_NANS: readonly ArrayNan[] = Object.freeze(['null', 'value'])

/** The option `nan` of files of arrays. `usual` is what NaN is where a request does not say it. */
export function nanOption(usual: ArrayNan): FormatOption {
  return Object.freeze({
    name: 'nan',
    schema: {
      type: 'string',
      enum: ARRAY_NANS,
      default: usual,
      description: 'What NaN in arrays is: `null`, or a `value`, which is greater than every number',
    },
    // Formats in which NaN is null have no option, so that their keys are those of plain ones.
    default: usual === 'null' ? null : usual,
    sqlDefault: `'${usual}'`,
    read(given: unknown, reject: (what: string) => never): ArrayNan | null {
      const asked = ARRAY_NANS.find((each) => typeof given === 'string' && each === given.toLowerCase())
      if (asked === undefined) return reject("nan must be 'null' or 'value'")
      return asked === 'null' && usual === 'null' ? null : asked
    },
  })
}
