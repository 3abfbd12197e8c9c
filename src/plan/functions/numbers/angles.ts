import type { FunctionFamily } from '../function-row.ts'
import { alike, row } from '../row.ts'

const ofNumber = alike({ overloads: ['x DOUBLE -> DOUBLE'] })

/** Functions of angles. */
export const ANGLES: FunctionFamily = Object.freeze({
  title: 'Angles',
  about: 'Angles are in radians.',
  rows: [
    row({
      name: 'acos',
      overloads: ['x DOUBLE -> DOUBLE'],
      description:
        'The angle in radians from 0 to π whose cosine it is. An error for numbers beyond -1 and 1.',
      examples: [['acos(1)', '0.0']],
    }),
    row({
      name: 'asin',
      overloads: ['x DOUBLE -> DOUBLE'],
      description:
        'The angle in radians from -π/2 to π/2 whose sine it is. An error for numbers beyond -1 and 1.',
      examples: [['round(asin(1), 6)', '1.570796']],
    }),
    row({
      name: 'atan',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The angle in radians from -π/2 to π/2 whose tangent it is.',
      examples: [['round(atan(1), 6)', '0.785398']],
    }),
    row({
      name: 'atan2',
      overloads: ['y DOUBLE, x DOUBLE -> DOUBLE'],
      description: 'The angle in radians from -π to π of the point (x, y), counted from the x axis.',
      examples: [['round(atan2(1, -1), 6)', '2.356194']],
    }),
    row({
      name: 'cos',
      overloads: ['x DOUBLE -> DOUBLE'],
      description: 'The cosine of an angle in radians.',
      examples: [
        ['cos(0)', '1.0'],
        ['round(cos(radians(60)), 6)', '0.5'],
      ],
    }),
    ofNumber('cot', 'The cotangent of an angle in radians.', 'round(cot(radians(45)), 6)', '1.0'),
    ofNumber('degrees', 'An angle in radians as degrees.', 'degrees(pi())', '180.0'),
    row({
      name: 'pi',
      overloads: [' -> DOUBLE'],
      description: "The ratio of a circle's circumference to its diameter.",
      examples: [['pi()', '3.141592653589793']],
    }),
    ofNumber('radians', 'An angle in degrees as radians.', 'round(radians(180), 6)', '3.141593'),
    ofNumber('sin', 'The sine of an angle in radians.', 'round(sin(radians(30)), 6)', '0.5'),
    ofNumber('tan', 'The tangent of an angle in radians.', 'round(tan(radians(45)), 6)', '1.0'),
  ],
})
