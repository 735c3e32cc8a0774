// SPDX-License-Identifier: Apache-2.0
// A small web service: routes, templates, JSON, compression.  Says its port when it listens.
const http = require('http');
const zlib = require('zlib');

class Catalogue {
    constructor(size) {
        this.items = Array.from({ length: size }, (_, n) => ({ id: n, name: `item ${n}`, price: (n * 7919) % 1000 }));
    }
    find(word) {
        return this.items.filter(item => item.name.includes(word)).sort((a, b) => a.price - b.price);
    }
}

const catalogue = new Catalogue(300);

function render(items) {
    return items.map(item => `<li>${item.name.toUpperCase()}: ${item.price.toFixed(2)}</li>`).join('\n');
}

const routes = {
    '/html': query => render(catalogue.find(query)),
    '/json': query => JSON.stringify(catalogue.find(query)),
};

async function answer(request, response) {
    const url = new URL(request.url, 'http://localhost');
    const body = (routes[url.pathname] || (() => 'nothing here'))(url.searchParams.get('q') || '1');

    await null;
    if (url.searchParams.has('z'))
        response.end(zlib.gzipSync(body));
    else
        response.end(body);
}

const server = http.createServer((request, response) => { answer(request, response); });

server.listen(0, '127.0.0.1', () => console.log(`ready ${server.address().port}`));
