// Changes what server and page say to each other: a test can describe vehicles, drivers and duels in the
// scene message, send readouts, and read what the page sends.

/// Prepares a page (see openPage): `roles` are added to every scene message. `requests` of the result
/// are all messages of the page.
export function mockRoles(roles) {
    const mock = { requests: [], tell: null, prepare: null };
    mock.prepare = (page) =>
        page.routeWebSocket(/\/ws/, (client) => {
            const server = client.connectToServer();
            client.onMessage((message) => {
                const request = JSON.parse(message);
                mock.requests.push(request);
                if (request.type !== 'input') server.send(message);
            });
            server.onMessage((message) => client.send(changed(message, roles)));
            mock.tell = (message) => client.send(JSON.stringify(message));
        });
    mock.of = (type) => mock.requests.filter((request) => request.type === type);
    return mock;
}

function changed(message, roles) {
    if (typeof message !== 'string' || !message.startsWith('{')) return message;
    const content = JSON.parse(message);
    if (content.type !== 'scene') return message;
    return JSON.stringify({ ...content, ...roles });
}
