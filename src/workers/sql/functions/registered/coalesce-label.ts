import { ServiceError } from '../../../../plan/errors.ts'
import type { ScalarFunction } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { VARCHAR } from './types.ts'

/** The label behind the first value that is not null. */
export const COALESCE_LABEL: ScalarFunction = Object.freeze({
  name: 'coalesce_label',
  overloads: [
    {
      parameters: [{ kind: 'any' }, VARCHAR],
      rest: { kind: 'any' },
      returns: VARCHAR,
      takesNulls: true,
      check(args) {
        if (args.length % 2 !== 0)
          throw new ServiceError('invalid_sql', 'coalesce_label: the last value has no label behind it.')
        for (const [index, { constant, isText }] of args.entries())
          if (index % 2 === 1 && (constant !== 'a value' || !isText))
            throw new ServiceError(
              'invalid_sql',
              `coalesce_label: argument ${index + 1} is a label, so it must be a text that is no column and not null.`,
            )
      },
      compute(args, result, row) {
        const index = args.findIndex((value, index) => index % 2 === 0 && !value.isNull(row))
        const label = args[index + 1]
        if (index < 0 || label === undefined) result.setNull(row)
        else result.setText(row, label.address(row), label.length(row))
      },
    },
  ],
} satisfies ScalarFunction)
