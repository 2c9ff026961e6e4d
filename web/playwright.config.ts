import { defineConfig } from '@playwright/test';

// The real server and Debian's Chromium. Where they are comes from tools/page_tests.sh.
export default defineConfig({
  testDir: process.env.PAGE_SCRIPTS ?? 'tests', // or measure, or pictures
  // For a machine that does much else besides: what waits for an answer passes as soon as it is there.
  timeout: 240_000,
  expect: { timeout: 90_000 },
  workers: 1,
  reporter: 'list',
  outputDir: process.env.PAGE_RESULTS,
  use: {
    launchOptions: { executablePath: process.env.PAGE_CHROMIUM, args: ['--no-sandbox'] },
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
  },
});
