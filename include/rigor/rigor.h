// All of Rigor.
#pragma once

#include "rigor/driver.h"
#include "rigor/duel.h"
#include "rigor/mesh.h"
#include "rigor/mesh_file.h"
#include "rigor/query.h"
#include "rigor/recording.h"
#include "rigor/scene.h"
#include "rigor/simulation.h"
#include "rigor/version.h"
#include "rigor/world.h"
