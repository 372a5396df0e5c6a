// The official SDK's client and two official servers, with `strandline record` between them and without.
//
// usage: node sdk.mjs NPM STRANDLINE LOG FOLDER     NPM: a folder with node_modules of @modelcontextprotocol/sdk,
//                                                   server-everything and server-filesystem; FOLDER: to play in
// Prints one JSON document: what differed (nothing should), and the time of calls both ways.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fs from 'node:fs';
import path from 'node:path';

const [npm, strandline, log, folder] = process.argv.slice(2).map((word) => path.resolve(word));
const require = createRequire(path.join(npm, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
const types = await load('@modelcontextprotocol/sdk/types.js');

const servers = {
    everything: ['server-everything', 'stdio'],
    filesystem: ['server-filesystem', folder],
};

async function connect(name, recorded) {
    const [program, ...args] = servers[name];
    const script = path.join(npm, 'node_modules/@modelcontextprotocol', program, 'dist/index.js');
    const command = [process.execPath, script, ...args];
    const [first, ...rest] = recorded ? [strandline, 'record', '-o', log, '--', ...command] : command;
    const transport = new StdioClientTransport({ command: first, args: rest, stderr: 'pipe' });
    const client = new Client({ name: 'sdk-test', version: '1' }, { capabilities: { sampling: {}, elicitation: {}, roots: {} } });
    client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(folder).href }] }));
    client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
        model: 'none', role: 'assistant', content: { type: 'text', text: 'sampled ✓' } }));
    client.setRequestHandler(types.ElicitRequestSchema, () => ({ action: 'decline' }));
    transport.stderr?.on('data', () => {});
    await client.connect(transport);
    return { client, transport };
}

// What is asked of a server, in order. Times and process ids in answers differ between any two runs.
const calls = {
    everything: [
        ['echo', { message: 'naïve \u2028 🌊 \u0000 "quoted"' }], ['get-sum', { a: 1, b: 2 }], ['get-tiny-image', {}],
        ['get-structured-content', { location: 'Chicago' }], ['get-annotated-message', { messageType: 'error', includeImage: true }],
        ['get-resource-links', { count: 3 }], ['trigger-sampling-request', { prompt: 'hello', maxTokens: 10 }],
        ['trigger-elicitation-request', {}], ['trigger-long-running-operation', { duration: 0.3, steps: 3 }],
        ['get-roots-list', {}], ['no-such-tool', {}], ['echo', { message: 'x'.repeat(3_000_000) }],
    ],
    filesystem: [
        ['write_file', { path: path.join(folder, 'a.txt'), content: 'line\r\nline\n'.repeat(50000) }],
        ['read_text_file', { path: path.join(folder, 'a.txt') }], ['list_directory', { path: folder }],
        ['read_text_file', { path: '/etc/passwd' }], ['list_allowed_directories', {}],
    ],
};

const stable = (value) => JSON.parse(JSON.stringify(value)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{1,2}:\d{2}:\d{2} [AP]M/g, 'TIME'));

async function session(name, recorded) {
    const { client, transport } = await connect(name, recorded);
    const answers = [client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()];
    answers.push(await client.listTools());
    for (const list of ['listPrompts', 'listResources', 'listResourceTemplates'])
        answers.push(await client[list]().catch((why) => String(why)));
    for (const [tool, args] of calls[name])
        answers.push(await client.callTool({ name: tool, arguments: args }).catch((why) => String(why)));
    const process_ = transport._process;
    const begun = performance.now();
    await client.close();
    return { answers: answers.map((a) => (a === undefined ? null : stable(a))), closed: performance.now() - begun, exit: process_.exitCode };
}

function differences(a, b) {
    return a.flatMap((answer, i) => (isDeepStrictEqual(answer, b[i]) ? [] :
        [{ at: i, direct: JSON.stringify(answer).slice(0, 300), recorded: JSON.stringify(b[i]).slice(0, 300) }]));
}

async function latency(rounds) {
    const both = { direct: (await connect('everything', false)).client, recorded: (await connect('everything', true)).client };
    const took = { direct: [], recorded: [] };
    for (let i = 0; i < rounds + 100; i++)
        for (const way of i % 2 ? ['direct', 'recorded'] : ['recorded', 'direct']) {
            const begun = performance.now();
            await both[way].callTool({ name: 'echo', arguments: { message: `${i}` } });
            if (i >= 100)
                took[way].push(performance.now() - begun);
        }
    for (const client of Object.values(both))
        await client.close();
    const at = (way, part) => took[way].sort((a, b) => a - b)[Math.floor(part * took[way].length)];
    return Object.fromEntries([0.5, 0.9, 0.99].map((part) => [part, { direct: at('direct', part), recorded: at('recorded', part) }]));
}

const said = { differences: {}, closed: {}, exit: {} };
for (const name of Object.keys(servers)) {
    const direct = await session(name, false), recorded = await session(name, true);
    said.differences[name] = differences(direct.answers, recorded.answers);
    said.answers = (said.answers ?? 0) + direct.answers.length;
    said.closed[name] = { direct: direct.closed, recorded: recorded.closed };
    said.exit[name] = { direct: direct.exit, recorded: recorded.exit };
}
said.latency = await latency(1000);
console.log(JSON.stringify(said));
