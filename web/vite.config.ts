import { defineConfig } from 'vite';

// One script and one style sheet under fixed names: they are embedded in the program and are routes of its server.
export default defineConfig({
  publicDir: 'public',
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: 'app.js', assetFileNames: 'app.[ext]', inlineDynamicImports: true },
    },
  },
});
