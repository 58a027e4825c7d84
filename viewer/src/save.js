// save.js - downloads: names that every file system takes, CSV that every spreadsheet reads.

export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// 'tip.error [m] of </b>' -> 'tip.error-m-of-b'
export function fileName(...parts) {
  const clean = (s) =>
    s
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '');
  return (
    parts
      .map((p) => clean(String(p)).slice(0, 60))
      .filter(Boolean)
      .join('-') || 'limber'
  );
}

// columns: [{head, values}], all of one length; null and NaN are empty cells.
export function csv(columns) {
  const lines = [columns.map((c) => cell(c.head)).join(',')];
  const rows = columns[0]?.values.length ?? 0;
  for (let r = 0; r < rows; r++)
    lines.push(
      columns
        .map(({ values: v }) => (v[r] === null || v[r] === undefined || Number.isNaN(v[r]) ? '' : v[r]))
        .join(','),
    );
  return lines.join('\r\n') + '\r\n';
}

// Quoted where needed; a leading = + - @ would be a formula to a spreadsheet.
function cell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const saveCsv = (columns, name) => save(new Blob([csv(columns)], { type: 'text/csv' }), `${name}.csv`);
