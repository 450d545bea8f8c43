// Creates a table, writes rows, reads one, scans, deletes, and prints what it saw as one line of JSON.
const client = require('hbase')({ host: '127.0.0.1', port: process.argv[2] })
const call = (target, method, ...words) =>
  new Promise((resolve, reject) =>
    target[method](...words, (failure, result) => (failure ? reject(failure) : resolve(result))))

async function main () {
  const table = client.table('javascript')
  await call(table, 'create', 'f')
  for (const key of ['a', 'b', 'c']) {
    await call(table.row(key), 'put', 'f:q', 'value ' + key)
  }
  const cells = await call(table.row('b'), 'get', 'f:q')
  await call(table.row('a'), 'delete')
  const scanned = await call(table, 'scan', { startRow: 'a', maxVersions: 1 })
  const regions = await call(table, 'regions')
  console.log(JSON.stringify({
    value: cells[0].$,
    scanned: scanned.map(cell => cell.key),
    regions: regions.Region.length,
    exists: await call(table, 'exists')
  }))
}

main().catch(failure => { console.error(failure); process.exit(1) })
