// A loader of webpack for the one source that Temporal makes up: it requires the workflows by whole paths, whose
// lengths the map of the bundle would remember.
const path = require('node:path');

module.exports = function (source) {
  return source.replaceAll(`${path.dirname(this.resourcePath)}/`, './');
};
