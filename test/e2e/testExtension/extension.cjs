// Beside the packaged extension under test, in the same host: what only another extension can offer.
exports.activate = () => undefined;
