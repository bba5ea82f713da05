// One headless Firefox, driven over Marionette, the protocol of its own WebDriver.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PREFERENCES = {
  'app.update.enabled': false, 'browser.aboutConfig.showWarning': false, 'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false, 'toolkit.telemetry.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore', 'dom.disable_open_during_load': false,
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function connected(port) {
  for (let left = 300; ; left -= 1) {
    try {
      return await new Promise((done, failed) => {
        const socket = connect(port, '127.0.0.1', () => done(socket));
        socket.once('error', failed);
      });
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/** A browser with a profile of its own: `go(url)`, `run(script)` for the value of a script of the page, `close()`. */
export async function openFirefox() {
  const profile = mkdtempSync(path.join(tmpdir(), 'offprint-firefox-'));
  const port = await freePort();
  const preferences = { ...PREFERENCES, 'marionette.port': port };
  writeFileSync(path.join(profile, 'user.js'), Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  const child = spawn(process.env.FIREFOX ?? '/usr/bin/firefox-esr', ['--headless', '--no-remote', '--marionette', '--profile', profile], { stdio: 'ignore', env: { ...process.env, HOME: profile } });
  const socket = await connected(port);
  const waiting = new Map();
  let number = 0;
  let buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let colon = buffer.indexOf(':'); colon > 0; colon = buffer.indexOf(':')) {
      const end = colon + 1 + Number(buffer.subarray(0, colon));
      if (buffer.length < end) return;
      const message = JSON.parse(buffer.subarray(colon + 1, end));
      buffer = buffer.subarray(end);
      // the first one is a greeting
      if (Array.isArray(message)) waiting.get(message[1])?.(message);
    }
  });
  const ask = (command, parameters = {}) => new Promise((done, failed) => {
    number += 1;
    waiting.set(number, ([, , error, result]) => (error ? failed(new Error(`${command}: ${error.message}`)) : done(result)));
    const text = Buffer.from(JSON.stringify([0, number, command, parameters]));
    socket.write(Buffer.concat([Buffer.from(`${text.length}:`), text]));
  });
  await ask('WebDriver:NewSession', { capabilities: { alwaysMatch: { acceptInsecureCerts: true, pageLoadStrategy: 'none', unhandledPromptBehavior: 'dismiss' } } });
  return {
    go: (url) => ask('WebDriver:Navigate', { url }),
    run: async (script) => (await ask('WebDriver:ExecuteScript', { script, args: [], sandbox: null, newSandbox: false })).value,
    close: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      socket.destroy();
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
