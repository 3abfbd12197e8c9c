import type { FunctionFamily } from './function-row.ts'
import { macro, REGISTERED, row, SYNTAX } from './row.ts'

/** Functions that choose one of their arguments. */
export const CONDITIONS: FunctionFamily = Object.freeze({
  title: 'Nulls and conditions',
  rows: [
    row({
      name: 'coalesce',
      overloads: ['value ANY... -> ANY'],
      nulls: 'are values',
      form: SYNTAX,
      description: 'The first argument that is not null.',
      examples: [['coalesce(NULL, 5)', '5']],
    }),
    row({
      name: 'coalesce_label',
      overloads: [
        'value ANY, label VARCHAR -> VARCHAR',
        'value ANY, label VARCHAR, next_value ANY, next_label VARCHAR... -> VARCHAR',
      ],
      nulls: 'are values',
      form: REGISTERED,
      description:
        'The label behind the first value that is not null. Values and labels stand in turn. A label is a text that is no column and not null. Null: all values are null.',
      examples: [
        ["coalesce_label(NULL, 'ctd', 7, 'bottle')", 'bottle'],
        ["coalesce_label(NULL, 'ctd', NULL, 'bottle')", 'NULL'],
      ],
    }),
    row({
      name: 'greatest',
      overloads: ['value ANY... -> ANY'],
      nulls: 'are values',
      description: 'The greatest of the arguments that are not null.',
      examples: [
        ['greatest(1, 5, 3)', '5'],
        ['greatest(1, NULL)', '1'],
      ],
    }),
    row({
      name: 'if',
      overloads: ['condition BOOLEAN, yes ANY, no ANY -> ANY'],
      nulls: 'are values',
      form: SYNTAX,
      description: 'The second argument where the condition is true, the third where it is false or null.',
      examples: [["if(3 > 2, 'warm', 'cold')", 'warm']],
    }),
    row({
      name: 'ifnull',
      overloads: ['value ANY, other ANY -> ANY'],
      nulls: 'are values',
      form: SYNTAX,
      description: 'The first argument, or the second one if the first is null.',
      examples: [['ifnull(NULL, 5)', '5']],
    }),
    row({
      name: 'least',
      overloads: ['value ANY... -> ANY'],
      nulls: 'are values',
      description: 'The least of the arguments that are not null.',
      examples: [['least(1, 5, 3)', '1']],
    }),
    row({
      name: 'nullif',
      overloads: ['value ANY, other ANY -> ANY'],
      nulls: 'are values',
      description: 'The first argument, or null if both are equal.',
      examples: [
        ['nullif(7, 7)', 'NULL'],
        ['nullif(7, 8)', '7'],
      ],
    }),
    row({
      name: 'nvl',
      overloads: ['value ANY, other ANY -> ANY'],
      nulls: 'are values',
      form: macro(['value, other', 'coalesce(value, other)']),
      description: 'The first argument, or the second one if the first is null.',
      examples: [['nvl(NULL, 5)', '5']],
    }),
    row({
      name: 'nvl2',
      overloads: ['value ANY, other ANY, default_value ANY -> ANY'],
      nulls: 'are values',
      form: macro([
        'value, other, default_value',
        'CASE WHEN value IS NOT NULL THEN other ELSE default_value END',
      ]),
      description: 'The second argument if the first is not null, else the third.',
      examples: [
        ["nvl2(7, 'measured', 'missing')", 'measured'],
        ["nvl2(NULL, 'measured', 'missing')", 'missing'],
      ],
    }),
  ],
})
