// The message that answers hello: version, and the names a client may use in requests.
#pragma once

#include "viewer/json_fields.h"
#include "viewer/outbox.h"

namespace rigor::viewer {

json welcome_message(ClientId client);

} // namespace rigor::viewer
