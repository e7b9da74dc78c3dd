// SPDX-License-Identifier: GPL-3.0-or-later
// `fumehoodctl mcp` driven by the client of the official TypeScript SDK. Its arguments name cases; for each it prints a
// line of JSON with the name and what went wrong, which is null if nothing did.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js'

async function connect (...words) {
  const transport = new StdioClientTransport({ command: process.env.FH_CTL, args: ['mcp', ...words], env: process.env })
  const client = new Client({ name: 'test', version: '1' })
  client.faults = []
  client.onerror = fault => client.faults.push(fault)
  await client.connect(transport)
  // Results are held against the schemas that come with this.
  client.tools = (await client.listTools()).tools
  return client
}

const call = (client, name, args, options) => client.callTool({ name, arguments: args }, undefined, options)
const SLEEP = 'print("up", flush=True)\nimport time\ntime.sleep(600)'

const cases = {
  async greeting () {
    const client = await connect()
    assert.equal(client.getServerVersion().name, 'fumehood')
    assert.match(client.getInstructions(), /sandbox/)
    await client.ping()
    const names = client.tools.map(tool => tool.name)
    assert(names.includes('execute_python_code') && names.includes('execute_shell_command'), names.join())
    assert(client.tools.every(tool => tool.outputSchema && tool.annotations))
    await client.close()
  },

  async runs () {
    const client = await connect('--timeout', '20')
    const good = await call(client, 'execute_python_code', { code: 'print(6 * 7)', timeout: 5 })
    assert.equal(good.structuredContent.stdout, '42\n')
    const bad = await call(client, 'execute_python_code', { code: 'open("/etc/shadow")' })
    assert.equal(bad.isError, false)
    assert.equal(bad.structuredContent.exit_code, 1)
    assert.equal(bad.structuredContent.attempts[0].guard, 'filesystem')
    const shell = await call(client, 'execute_shell_command', { command: 'echo out; exit 3' })
    assert.deepEqual([shell.structuredContent.exit_code, shell.structuredContent.stdout], [3, 'out\n'])
    const blocks = await call(client, 'execute_code_blocks', {
      blocks: [{ language: 'python', code: 'open("a", "w").write("from python")' }, { language: 'sh', code: 'cat a' }]
    })
    assert.equal(blocks.structuredContent.runs[1].stdout, 'from python')
    const all = await Promise.all([...Array(12).keys()].map(i => call(client, 'execute_python_code', { code: `print(${i})` })))
    assert.deepEqual(all.map(one => one.structuredContent.stdout), all.map((_, i) => `${i}\n`))
    await client.close()
  },

  async sessions () {
    const client = await connect()
    await call(client, 'session_execute', { code: 'x = 20' })
    const cell = await call(client, 'session_execute', { code: 'print("out")\nx + 1' })
    assert.deepEqual([cell.structuredContent.value_json, cell.structuredContent.stdout], [21, 'out\n'])
    const bad = await call(client, 'session_execute', { code: '1 / 0' })
    assert.match(bad.structuredContent.exception, /ZeroDivisionError/)
    const listed = await call(client, 'list_variables', {})
    assert.deepEqual(listed.structuredContent.variables.map(row => [row.name, row.repr]), [['x', '20']])
    await client.close()
  },

  async resources () {
    const client = await connect()
    const uris = []
    for (let i = 0; i < 3; i++) {
      uris.unshift((await call(client, 'execute_python_code', { code: `print("run ${i}")` })).structuredContent.resource)
    }
    const { resources } = await client.listResources()
    assert.deepEqual(resources.slice(0, 3).map(one => one.uri), uris)
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1)
    const { contents } = await client.readResource({ uri: uris[2] })
    assert.equal(JSON.parse(contents[0].text).run.stdout, 'run 0\n')
    await assert.rejects(client.readResource({ uri: 'fumehood://run/999999' }), { code: -32002 })
    await client.close()
  },

  async looks () {
    const client = await connect()
    const seen = await call(client, 'inspect_code', { code: 'import socket\nimport os\nos.system("ls")' })
    assert.deepEqual(seen.structuredContent.imports[0], { module: 'socket', reaches: ['network'], line: 1 })
    assert.equal(seen.structuredContent.calls[0].name, 'os.system')
    await client.close()
  },

  async refusals () {
    const client = await connect()
    await assert.rejects(call(client, 'execute_python_code', {}), { code: -32602 })
    await assert.rejects(call(client, 'execute_python_code', { code: '1', without: 'network' }), { code: -32602 })
    await assert.rejects(call(client, 'no_such_tool', {}), { code: -32602 })
    await assert.rejects(client.request({ method: 'no/such' }, EmptyResultSchema), { code: -32601 })
    await client.close()
    const lost = await connect('--interpreter', '/nowhere/python3')
    assert.equal((await call(lost, 'execute_python_code', { code: '1' })).isError, true)
    await lost.close()
  },

  async progress () {
    const client = await connect()
    const aborts = new AbortController()
    const seen = []
    const onprogress = params => {
      seen.push(params.progress)
      if (seen.length === 3) aborts.abort('enough')
    }
    await assert.rejects(call(client, 'execute_python_code', { code: SLEEP }, { onprogress, signal: aborts.signal }))
    assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b))
    assert.equal((await call(client, 'execute_python_code', { code: 'print("on")' })).structuredContent.stdout, 'on\n')
    await client.close()
    assert.deepEqual(client.faults, [])
  },

  async malformed () {
    const client = await connect()
    const lines = ['nonsense', '[]', '{}', '{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', '['.repeat(10000), '\u0000']
    for (const line of lines) client.transport._process.stdin.write(line + '\n')
    await client.ping()
    assert.equal((await call(client, 'execute_python_code', { code: 'print("on")' })).structuredContent.stdout, 'on\n')
    await client.close()
  },

  async closing () {
    const client = await connect()
    const server = client.transport._process
    const ended = new Promise(resolve => server.on('exit', (code, signal) => resolve([code, signal])))
    const lost = assert.rejects(call(client, 'execute_python_code', { code: SLEEP }))
    await client.close()
    await lost
    assert.deepEqual(await ended, [0, null])
  }
}

for (const name of process.argv.slice(2)) {
  const wrong = await cases[name]().then(() => null, error => String(error.stack))
  console.log(JSON.stringify([name, wrong]))
}
