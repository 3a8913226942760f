// All public headers of Rigor.
#pragma once

#include "rigor/convex.h"
#include "rigor/driver.h"
#include "rigor/duel.h"
#include "rigor/linear_programs.h"
#include "rigor/math.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "rigor/query.h"
#include "rigor/recording.h"
#include "rigor/scene.h"
#include "rigor/simulation.h"
#include "rigor/version.h"
#include "rigor/world.h"
