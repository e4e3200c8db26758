"use strict";

// The policy of the site forbids inline scripts, so Swagger UI is started from here.
const place = document.getElementById("swagger-ui");

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  // Nothing of the document may leave this server.
  validatorUrl: null,
});
