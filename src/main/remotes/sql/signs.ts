/** How SQL writes comparisons. */
export const SIGNS = Object.freeze({ eq: '=', neq: '<>', gt: '>', gt_eq: '>=', lt: '<', lt_eq: '<=' })
